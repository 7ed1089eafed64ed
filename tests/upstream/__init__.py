"""What upstream's own code says, recorded: its checks of settings (`rules`) and the errors it prints (`errors`)."""
