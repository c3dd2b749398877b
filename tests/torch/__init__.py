"""What PyTorch's calls come to on a product; these tests need PyTorch and run by the marker ``torch``."""
