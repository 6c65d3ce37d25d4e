// A test fixture for the window.
