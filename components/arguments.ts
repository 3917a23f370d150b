import * as pulumi from "@pulumi/pulumi";
import { checkShape, type Schema } from "../cluster/check-shape";
import { components, shared } from "./arguments.json";
import { plainError } from "./pulumi/errors";

/** A component class whose arguments are checked. */
export type ComponentName = keyof typeof components;

/**
 * Checks the names and types of a component's arguments, which no compiler does for programs in JavaScript or YAML. All
 * but those that may be late shape the cluster, and must be known at preview.
 *
 * @throws with a line per argument: `<argument> must be <legal> (got <value>)`
 */
export function requireArguments(component: ComponentName, args: unknown): void {
    const { errors } = checkShape(components[component] as Schema, args, {
        shared: shared as Readonly<Record<string, Schema>>,
        isSecret: isSecretArgument,
        pending,
    });
    if (errors.length > 0) throw plainError(errors.join("\n"));
}

/** Whether an argument holds secrets: its type says that it may be late as a whole, and no error shows it. */
export function isSecretArgument(argument: string): boolean {
    return Object.keys(components).some((component) => {
        const { late = false, type } = argumentSchema(component, argument) ?? {};
        return late && type === "object";
    });
}

/** The schema of an argument, with that of its interface. @returns undefined if the component has none of that name */
export function argumentSchema(component: string, argument: string): Schema | undefined {
    const all: Readonly<Record<string, { readonly properties: object }>> = components;
    return all[component] && wholeSchema(Reflect.get(all[component].properties, argument));
}

/** A schema with that of its interface. */
export function wholeSchema(schema: Schema | undefined): Schema | undefined {
    return schema?.$ref === undefined ? schema : { ...Reflect.get(shared, schema.$ref), ...schema };
}

/** What errors call a value that is no plain data, and what to do. */
function pending(value: unknown): [got: string, how?: string] | undefined {
    if (pulumi.Output.isInstance(value)) {
        const how = "give the value itself (of another stack, by getOutputDetails of its reference)";
        return ["an output or a secret", how];
    }
    if (value instanceof Promise) return ["a promise", "await it first"];
    if (pulumi.Resource.isInstance(value)) return ["a resource"];
    return typeof value === "function" ? ["a function"] : undefined;
}
