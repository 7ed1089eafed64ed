/* Signs of a version in a log, or of a list of packages: worth the time to look closer. As in fieldguide/runtime/doctor/environment.py. */
export const VERSIONS = /version[^\n]{0,20}\d\.\d|LLM engine \(v\d|DeepSpeed info|==\d|^[ \t]*[a-z][\w.-]*\s+v?\d+\.\d/im;
