import type * as pulumi from "@pulumi/pulumi";
import { plainError } from "./plain-error";

/**
 * Refuses another value of an option that is chosen once: in preview, with `<option> must stay <value>, got <value>`.
 *
 * @param there - what the state has of it: an output of a resource that ignores changes of the input by the same name
 */
export function mustStay<T>(option: string, wanted: T, there: pulumi.Output<T>): pulumi.Output<T> {
    return there.apply((value) => {
        if (value !== wanted) {
            throw plainError(`${option} must stay ${value}, got ${wanted}: it is chosen once`);
        }
        return value;
    });
}
