"""The site: pages of all operators, languages and releases that work from a folder and from any web server.

No request leaves it, and every script and style is a file of its own: its content security policy can be strict.
"""
