"""Reads every example, script and template that the frameworks ship, at the commit checked and at their last three releases."""
