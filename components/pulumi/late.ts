import * as pulumi from "@pulumi/pulumi";
import { isKnown, settled } from "./engine";
import { checked, lookUp } from "./errors";
import { log } from "./log";

/** Whether the value of an option comes from another resource, or from a promise: at first, it may be unknown. */
export function isLate<T>(value: pulumi.Input<T>): value is pulumi.OutputInstance<T> | Promise<T> {
    return pulumi.Output.isInstance(value) || value instanceof Promise;
}

/**
 * Checks a plain value at once, and an output as soon as it is known, before anything uses it.
 *
 * @param check - throws `<option> must be <legal> (got <value>)`
 */
export function requireLate<T, Result>(value: pulumi.Input<T>, check: (known: T) => Result): pulumi.Input<Result> {
    if (!isLate(value)) return check(value as T);
    return pulumi.output(value).apply((known) => checked(() => check(known as T))) as pulumi.Output<Result>;
}

/** A look-up for an option that may be an output: in a preview in which it is unknown, nothing is looked up. */
export function lookUpLate<T>(
    value: pulumi.Input<string>,
    ask: (known: string) => Promise<T>,
    option: string,
    legal: string,
): pulumi.Output<T> {
    return pulumi.output(value).apply((known) => lookUp(ask(known), option, legal, known)) as pulumi.Output<T>;
}

/**
 * Waits until the resources that a component depends on exist: it is registered after them.
 *
 * @returns whether they may not exist yet, because this is a preview
 */
export async function afterDependencies(
    component: pulumi.Resource,
    { dependsOn = [] }: pulumi.ResourceOptions = {},
): Promise<boolean> {
    await settled(component.urn);
    const hasNone = Array.isArray(dependsOn) && dependsOn.length === 0;
    return pulumi.runtime.isDryRun() && !hasNone;
}

/** A value as errors show it. */
export function shown(value: unknown): unknown {
    if (isLate(value)) return "an output";
    return Array.isArray(value) ? value.map(shown) : value;
}

/** Says in a preview which options it could not check, because what they come from does not exist yet. */
export function noteUnknown(args: object, cluster: pulumi.Resource): void {
    if (!pulumi.runtime.isDryRun()) return;
    const note = async () => {
        const all = await Promise.all(
            lateIn(args).map(async ([option, value]) => {
                const known = await isKnown(pulumi.output(value)).catch(() => true);
                return known ? [] : [option];
            }),
        );
        const options = [...new Set(all.flat())];
        if (options.length === 0) return;
        await log.info(
            `not checked in this preview, because the resources they come from do not exist yet: ${options.join(", ")}. \`pulumi up\` checks them as soon as they do`,
            cluster,
        );
    };
    void note();
}

/** Late values in arguments, by their options: those in a list by that of the list. */
function lateIn(value: unknown, option = ""): (readonly [option: string, value: pulumi.Input<unknown>])[] {
    if (isLate(value)) return [[option, value]];
    if (Array.isArray(value)) return value.flatMap((each) => lateIn(each, option));
    if (typeof value !== "object" || value === null) return [];
    return Object.entries(value).flatMap(([key, each]) => lateIn(each, option === "" ? key : `${option}.${key}`));
}
