/** Seconds that an apiserver serves on after its listener stopped taking connections. */
export const shutdownDelaySeconds = 4;

/** Seconds that it then gives open watches to end by themselves. */
export const watchGraceSeconds = 5;
