/** Seconds that an apiserver serves on when it is told to end. */
export const shutdownDelaySeconds = 4;

/** Seconds that it then gives open watches to end by themselves. */
export const watchGraceSeconds = 5;
