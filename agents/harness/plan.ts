import { readFileSync } from "node:fs";
import * as v from "valibot";

/*
 * Each plan has a schema, whose messages say what is valid. Its type is derived.
 *
 * By valibot, since a program contains only the parts that it uses: 10 to 20 KB more than checks by hand, 3 to 5 KB
 * compressed. zod/mini adds another 25 KB (6 KB), and programs lie in user data and ConfigMaps.
 */

/** The plan is invalid. */
export class InvalidPlan extends Error {
    override readonly name = "InvalidPlan";
}

/** Reads an agent's plan. Throws one error with everything that is wrong with it. */
export function readPlan<Plan>(path: string, schema: v.GenericSchema<unknown, Plan>): Plan {
    let plan: unknown;
    try {
        plan = JSON.parse(readFileSync(path, "utf8"));
    } catch (error) {
        throw new InvalidPlan(`${path} must be a JSON file: ${(error as Error).message}`);
    }
    const problems = planProblems(plan, schema);
    if (problems.length > 0) {
        throw new InvalidPlan(`${path}: ${problems.join("; ")}`);
    }
    return plan as Plan;
}

/** Everything wrong with a plan, each problem with its path. */
export function planProblems(plan: unknown, schema: v.GenericSchema): string[] {
    const { issues = [] } = v.safeParse(schema, plan);
    return issues.map(({ path = [], message, input }) => {
        const last = path.at(-1);
        const names = path.map(({ type, key }) => (type === "array" ? `[${key}]` : `.${key}`));
        const isKey = last?.origin === "key";
        const place = (isKey ? names.slice(0, -1) : names).join("").slice(1);
        // A whole static pod would fill the log.
        const got = `${JSON.stringify(isKey || !last ? input : last.value)}`.slice(0, 200);
        return `${isKey ? `a key of ${place}` : place} must be ${message} (got ${got})`;
    });
}

/** Of a value that JSON.parse returned. */
type Schema<Value> = v.GenericSchema<unknown, Value>;

/** An object. Each missing field is reported, even if the object itself is missing; unknown fields are ignored. */
export function object<Fields extends v.ObjectEntries>(
    fields: Fields,
): Schema<Readonly<v.InferOutput<v.ObjectSchema<Fields, undefined>>>> {
    const none = Object.fromEntries(Object.keys(fields).map((key) => [key, undefined]));
    const withAll = v.transform((value) => ({ ...none, ...(value as object) }));
    return v.pipe(v.unknown(), withAll, v.object(fields));
}

export function list<Item>(item: Schema<Item>, legal = "a list"): Schema<readonly Item[]> {
    return v.array(item, legal);
}

/** An object with any names. Those like "prototype", which a pool may have, `v.record` would skip. */
export function byName<Value>(value: Schema<Value>, legal = "an object"): Schema<Readonly<Record<string, Value>>> {
    return v.lazy((values) =>
        typeof values === "object" && values !== null
            ? object(Object.fromEntries(Object.keys(values).map((name) => [name, value])))
            : v.custom<never>(() => false, legal),
    );
}

/** Text that is not empty. */
export function text(legal = "a name", pattern = /./s) {
    return v.custom<string>((value) => typeof value === "string" && pattern.test(value), legal);
}

/** A list of texts that are not empty. */
export function texts(legal = "a list of names", { least = 0, pattern = /./s } = {}) {
    const isLegal = (value: unknown) => typeof value === "string" && pattern.test(value);
    const areLegal = (values: unknown) => Array.isArray(values) && values.length >= least && values.every(isLegal);
    return v.custom<readonly string[]>(areLegal, legal);
}

const urlPatterns = { http: /^http:\/\/[^/]+$/, https: /^https:\/\/[^/]+$/ } as const;

/** A URL without a path. */
export function url(scheme: keyof typeof urlPatterns) {
    return text(`an ${scheme}:// URL without a path`, urlPatterns[scheme]);
}

export function httpsUrls(legal = "a list of at least one https:// URL") {
    return texts(legal, { least: 1, pattern: urlPatterns.https });
}

export const absolutePath = text("an absolute path", /^\//);

/** A regular expression from `^` to `$`. */
export const wholePattern = v.custom<string>((value) => {
    try {
        return typeof value === "string" && /^\^.*\$$/.test(value) && new RegExp(value) instanceof RegExp;
    } catch {
        return false;
    }
}, "a regular expression from ^ to $");

export const flag = v.boolean("true or false");

function number(legal: string, isLegal: (value: number) => boolean) {
    return v.custom<number>((value) => typeof value === "number" && isLegal(value), legal);
}

export function positive(legal = "a positive number") {
    return number(legal, (value) => value > 0);
}

export const positiveInteger = number("a positive integer", (value) => Number.isSafeInteger(value) && value > 0);

export const port = number("a port", (value) => Number.isInteger(value) && value > 0 && value < 65536);

export const seconds = number("a number of seconds", (value) => value >= 0);

/** Seconds by the names of the defaults. */
export function secondsByName<Name extends string>(
    defaults: Readonly<Record<Name, number>>,
    each = seconds,
): Schema<Readonly<Partial<Record<Name, number>>>> {
    const names = Object.keys(defaults) as Name[];
    return v.record(v.picklist(names, `one of ${names.join(", ")}`), each, "an object");
}

/** Timeout of each step in seconds; of unknown steps they are ignored. */
export function timeouts<Step extends string>() {
    return v.optional(byName(seconds) as Schema<Readonly<Partial<Record<Step, number>>>>);
}

/** Fields of an EC2 endpoint. */
export const ec2Place = {
    /** EC2's API: `https://ec2.eu-central-1.amazonaws.com`. */
    ec2: url("https"),
    region: text(),
};

/** Of a node's kubelet, also used by agents acting on its behalf. */
export const kubeletCredentials = object({
    /** PEM of the Kubernetes CA certificate. */
    ca: absolutePath,
    /** PEM bundle that replaces that certificate once it exists. @default none */
    authorities: v.optional(absolutePath),
    /** PEM of the kubelet's client certificate with its key. The Node authorizer limits it to this node. */
    client: absolutePath,
});
