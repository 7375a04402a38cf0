inline const char *local_file() { return __FILE__; }
