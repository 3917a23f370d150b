import { isObject, isUnknown, type Properties, Secret, UNKNOWN } from "../plugin/values";

const REFERENCE = /\$\{([^}]+)\}/g;

/** What of an expression's references stands for by its name: a resource with its outputs, or a value of the configuration. */
export type Names = Readonly<Record<string, unknown>>;

/** The names that an expression refers to, at any depth. */
export function namesIn(expression: unknown): string[] {
    if (typeof expression === "string") return [...expression.matchAll(REFERENCE)].map(([, path]) => pathOf(path!)[0]!);
    if (Array.isArray(expression)) return expression.flatMap(namesIn);
    return isObject(expression) ? Object.values(expression).flatMap(namesIn) : [];
}

/** The value of an expression; unknown if a text has a part that is, and secret likewise. */
export function evaluate(expression: unknown, names: Names): unknown {
    if (Array.isArray(expression)) return expression.map((each) => evaluate(each, names));
    if (isObject(expression)) return evaluateObject(expression, names);
    if (typeof expression !== "string") return expression;
    const [whole, path] = /^\$\{([^}]+)\}$/.exec(expression) ?? [];
    if (whole) return valueAt(pathOf(path!), names);
    const parts = [...expression.matchAll(REFERENCE)].map(([, each]) => valueAt(pathOf(each!), names));
    const shown = parts.map((part) => (part instanceof Secret ? part.value : part));
    let next = 0;
    const text = shown.some(isUnknown) ? UNKNOWN : expression.replace(REFERENCE, () => String(shown[next++]));
    return parts.some((part) => part instanceof Secret) ? new Secret(text) : text;
}

function evaluateObject(object: Properties, names: Names): unknown {
    const [call] = Object.keys(object).filter((key) => key.startsWith("fn::"));
    if (call === "fn::secret") return new Secret(evaluate(object[call], names));
    if (call) throw new Error(`a function must be fn::secret here, got ${call}`);
    return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, evaluate(value, names)]));
}

/** `cluster.nodes[0]` has three steps. */
function pathOf(path: string): string[] {
    return path.split(/[.[\]"]+/).filter(Boolean);
}

function valueAt([name, ...steps]: readonly string[], names: Names): unknown {
    if (!Object.hasOwn(names, name!)) throw new Error(`a name must be that of a resource, got ${name}`);
    return steps.reduce(stepInto, names[name!]);
}

function stepInto(value: unknown, step: string): unknown {
    if (value instanceof Secret) return new Secret(stepInto(value.value, step));
    if (isUnknown(value)) return UNKNOWN;
    return (value as Properties | undefined)?.[step] ?? null;
}
