"""A host program under the simulator or the layer: how it is started, and what the events that it leaves add up to."""
