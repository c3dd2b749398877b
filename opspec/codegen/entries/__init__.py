"""C that the simulator and the layer share: handles and their metadata, events, settings from the environment."""
