"""The simulator SDK: headers, libraries and build files laid out like a CANN installation."""
