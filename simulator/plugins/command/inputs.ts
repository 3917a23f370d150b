import { containsUnknown, type Failure, type Properties } from "../protocol/serve";

/** How a command is run. */
export interface CommandInputs {
    readonly interpreter?: readonly string[];
    readonly dir?: string;
    readonly environment?: Readonly<Record<string, string>>;
    readonly stdin?: string;
    readonly logging?: (typeof LOGGING)[number];
    /** @default true */
    readonly addPreviousOutputInEnv?: boolean;
}

export const LOGGING = ["stdout", "stderr", "stdoutAndStderr", "none"] as const;

const isString = (value: unknown) => typeof value === "string";
const isStrings = (value: unknown) => Array.isArray(value) && value.every(isString);

// Each input with its legal values.
const COMMON: Record<string, readonly [legal: string, isLegal: (value: unknown) => boolean]> = {
    interpreter: ["a list of strings", isStrings],
    dir: ["a path", isString],
    environment: ["an object of strings", (value) => isStrings(Object.values(value ?? {}))],
    stdin: ["a string", isString],
    logging: [`one of ${LOGGING.join(", ")}`, (value) => LOGGING.includes(value as never)],
    addPreviousOutputInEnv: ["true or false", (value) => typeof value === "boolean"],
};

const RESOURCE: typeof COMMON = {
    ...COMMON,
    create: ["a string", isString],
    update: ["a string", isString],
    delete: ["a string", isString],
    triggers: ["a list", Array.isArray],
};

const INVOKE: typeof COMMON = { ...COMMON, command: ["a string", isString] };

export function checkCommand(inputs: Properties): Failure[] {
    return check(inputs, RESOURCE);
}

export function checkRun(inputs: Properties): Failure[] {
    return check(inputs, INVOKE);
}

function check(inputs: Properties, known: typeof COMMON): Failure[] {
    return Object.entries(inputs).flatMap(([property, value]) => {
        if (property === "assetPaths" || property === "archivePaths") {
            return [
                { property, reason: `${property} needs the official command plugin: this stand-in keeps no files` },
            ];
        }
        if (!known[property]) return [{ property, reason: `unknown property ${property}` }];
        const [legal, isLegal] = known[property];
        if (value === null || containsUnknown(value) || isLegal(value)) return [];
        return [{ property, reason: `${property} must be ${legal} (got ${JSON.stringify(value)})` }];
    });
}
