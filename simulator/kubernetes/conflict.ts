import { ApiError } from "./faults";

const GUIDE =
    "https://www.pulumi.com/registry/packages/kubernetes/how-to-guides/managing-resources-with-server-side-apply/" +
    "#handle-field-conflicts-on-existing-resources";

/** Says of a field conflict whose apply it was and where to read on; other errors stay as they are. */
export function conflictError(error: unknown, fieldManager: string): unknown {
    if (!(error instanceof ApiError) || !error.isConflict) return error;
    return new Error(
        `Server-Side Apply field conflict detected. See ${GUIDE} for troubleshooting help.\n` +
            `The resource managed by field manager "${fieldManager}" had an apply conflict: ${error.message}`,
        { cause: error },
    );
}
