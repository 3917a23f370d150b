import * as pulumi from "@pulumi/pulumi";
import { plainError } from "../plain-error";
import { architectureOf } from "./architecture";

/**
 * Refuses an instance type of another architecture for a controller that is there, in previews too: its image would not run on
 * it, which EC2 says when the instance is stopped already. One that is made anew gets another image as well.
 */
export function keepsArchitecture(node: string): pulumi.ResourceHook {
    return new pulumi.ResourceHook(
        `${node}-keeps-architecture`,
        ({ oldInputs, newInputs }) => {
            const [before, after] = [oldInputs, newInputs].map((inputs) => inputs?.instanceType);
            if (typeof before !== "string" || typeof after !== "string") return;
            const architecture = architectureOf(before);
            if (architectureOf(after) === architecture) return;
            throw plainError(
                `controllers.instanceType must stay of ${architecture}, as ${node} is, got ${after}: name one controller after another in madeAnew`,
            );
        },
        { onDryRun: true },
    );
}
