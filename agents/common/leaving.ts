/** On a Node that is being removed: who changes their mind gets it back schedulable. */
export const leavingAnnotation = "tradewind.dev/leaving";
