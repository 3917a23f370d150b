import * as pulumi from "@pulumi/pulumi";
import type { Schema } from "../cluster/check-shape";
import { argumentSchema, isSecretArgument, wholeSchema } from "../components/arguments";

/** A method that every output has but its type lacks. Source: `OutputImpl` of @pulumi/pulumi. */
interface Settling {
    /** @param withUnknowns - whether parts of a value may be unknown. @default all of it is then */
    promise(withUnknowns?: boolean): Promise<unknown>;
}

/** Arguments of a component, decoded from the engine's inputs. The component checks them. */
export async function decodedArgs(component: string, inputs: pulumi.Inputs): Promise<pulumi.Inputs> {
    const entries = Object.entries(inputs).map(async ([argument, value]) => {
        if (isSecretArgument(argument)) return [argument, pulumi.output(value)];
        return [argument, inOrder(await spread(value, argumentSchema(component, argument)))];
    });
    const args: pulumi.Inputs = Object.fromEntries(await Promise.all(entries));
    const encryption: unknown = args.keys?.encryption;
    return Array.isArray(encryption)
        ? { ...args, keys: { ...args.keys, encryption: encryption.map(generation) } }
        : args;
}

/**
 * Lists and objects of outputs, instead of an output of a list or an object: the engine makes one of an argument with
 * outputs in it, unless the program's language sends them one by one. Values that may not be late are plain then.
 */
async function spread(value: unknown, schema: Schema | undefined): Promise<unknown> {
    if (!pulumi.Output.isInstance(value) || !isShape(schema)) return withOutputs(value);
    const whole = await (value as unknown as Settling).promise(true);
    if (pulumi.isUnknown(whole)) return value;
    // It is not known which part is secret, and what shapes a cluster must not be.
    const isHidden = await pulumi.isSecret(value);
    const partOf = (part: unknown, given: Schema | undefined, path: readonly (string | number)[]): unknown => {
        const own = wholeSchema(given);
        const late = () => value.apply((all) => at(all, path));
        if (pulumi.Output.isInstance(part)) return part;
        if (own?.late || pulumi.isUnknown(part)) return late();
        if (Array.isArray(part)) return part.map((each, index) => partOf(each, own?.items, [...path, index]));
        if (typeof part !== "object" || part === null) return isHidden ? late() : part;
        const { properties = {}, additionalProperties } = own ?? {};
        const schemaOf = (key: string) => properties[key] ?? (additionalProperties || undefined);
        const entries = Object.entries(part).map(([key, each]) => [key, partOf(each, schemaOf(key), [...path, key])]);
        return Object.fromEntries(entries);
    };
    return partOf(whole, schema, []);
}

function isShape(schema: Schema | undefined): boolean {
    return schema?.late !== true && [schema?.type].flat().some((type) => type === "array" || type === "object");
}

function at(value: unknown, path: readonly (string | number)[]): unknown {
    return path.reduce((each, key) => (each as Readonly<Record<string | number, unknown>>)[key], value);
}

/** The same with an output for each value that the engine does not know yet, and that comes from no resource. */
function withOutputs(value: unknown): unknown {
    if (pulumi.isUnknown(value)) return pulumi.output(value);
    if (Array.isArray(value)) return value.map(withOutputs);
    if (typeof value !== "object" || value === null || pulumi.Output.isInstance(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withOutputs(each)]));
}

/** Sorts the keys of maps: the engine sends them in random order, and labels end up on the kubelet's command line. */
function inOrder(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(inOrder);
    if (typeof value !== "object" || value === null || pulumi.Output.isInstance(value)) return value;
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries.map(([key, each]) => [key, inOrder(each)]));
}

/** Lists in the schema hold values of one type. */
function generation(key: unknown): unknown {
    return typeof key === "string" && /^\d+$/.test(key) ? Number(key) : key;
}
