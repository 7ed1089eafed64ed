"""Find the entry for an error: one definition of cleaning and signatures, for the browser and the terminal."""
