import * as pulumi from "@pulumi/pulumi";

const { withoutPositions, withoutStacks } = require("../../bundling/without-stacks.cjs");

withoutStacks(require("@pulumi/pulumi/runtime/debuggable"));
withoutPositions(require("@pulumi/pulumi/resource"));

/** A resource that a program registers. */
export interface Deployed {
    readonly type: string;
    readonly name: string;
    /** With secrets as plain values. */
    // biome-ignore lint/suspicious/noExplicitAny: each type of resource has its own.
    readonly inputs: Record<string, any>;
    /** Names of the inputs that are secret as a whole. */
    readonly secretInputs: readonly string[];
    readonly opts: pulumi.CustomResourceOptions;
    /** Names of the resources in its option `dependsOn`. */
    readonly dependsOn: readonly string[];
}

export interface DeployOptions {
    /**
     * Outputs of a resource in addition to its inputs. @default - an id, so that in a preview everything else is
     * unknown
     */
    readonly outputs?: (resource: pulumi.runtime.MockResourceArgs) => object;
    /** Result of a function. @default - its arguments */
    readonly answer?: (call: pulumi.runtime.MockCallArgs) => object;
    /** @default false */
    readonly isPreview?: boolean;
}

/**
 * Runs a program against Pulumi's mocks.
 *
 * Also rejects on an error in an `apply`, and includes resources created late: the SDK alone does neither, so this
 * relies on `__childResources` and `urn.promise()`.
 */
export async function deploy<T>(
    program: () => T,
    { outputs = () => ({}), answer = ({ inputs }) => inputs, isPreview = false }: DeployOptions = {},
): Promise<{ result: T; resources: Deployed[] }> {
    const made: pulumi.runtime.MockResourceArgs[] = [];
    const opts = new Map<string, pulumi.CustomResourceOptions>();
    const mocks: pulumi.runtime.Mocks = {
        newResource(resource) {
            made.push(resource);
            const { id = `${resource.name}-id`, ...others }: { id?: string } = outputs(resource);
            return { id, state: { ...resource.inputs, ...others } };
        },
        call: (call) => answer(call) as Record<string, unknown>,
    };
    await pulumi.runtime.setMocks(mocks, "test", "test", isPreview);
    takeHooks();
    let result!: T;
    await orUnhandled(async () => {
        await pulumi.runtime.runInPulumiStack(async () => {
            pulumi.runtime.registerStackTransformation((resource) => {
                opts.set(key(resource), resource.opts);
                return undefined;
            });
            result = program();
        });
        await settled(pulumi.runtime.getStackResource() as unknown as Internal);
    });
    return {
        result,
        resources: await Promise.all(made.map((each) => describeResource(each, opts.get(key(each)) ?? {}))),
    };
}

/** The mocks claim to support hooks, but lack the calls to register them. */
function takeHooks(): void {
    const taken = (_request: unknown, answer: (error: null) => void) => answer(null);
    const monitor = pulumi.runtime.getMonitor() as unknown as Record<string, typeof taken>;
    for (const call of ["registerResourceHook", "registerErrorHook"]) monitor[call] ??= taken;
}

/** The value of an output, after the program has run. */
export function resolved<T>(output: pulumi.Output<T>): Promise<T> {
    return (output as unknown as { promise(): Promise<T> }).promise();
}

interface Internal {
    readonly urn: pulumi.Output<string>;
    readonly __childResources?: Iterable<Internal>;
}

/** Also rejects on an unhandled rejection: a resource with a failed input never settles. */
async function orUnhandled(run: () => Promise<void>): Promise<void> {
    let reject!: (error: unknown) => void;
    const rejected = new Promise<never>((_, each) => {
        reject = each;
    });
    process.on("unhandledRejection", reject);
    try {
        await Promise.race([run(), rejected]);
    } finally {
        // Those of the same failure arrive together.
        await new Promise(setImmediate);
        process.off("unhandledRejection", reject);
    }
}

async function settled(resource: Internal): Promise<void> {
    await resolved(resource.urn);
    await new Promise(setImmediate);
    for (const child of resource.__childResources ?? []) {
        await settled(child);
    }
}

function key({ type, name }: { type: string; name: string }): string {
    return `${type}::${name}`;
}

async function describeResource(
    { type, name, inputs }: pulumi.runtime.MockResourceArgs,
    opts: pulumi.CustomResourceOptions,
): Promise<Deployed> {
    const secretInputs = Object.keys(inputs).filter((input) => pulumi.runtime.isRpcSecret(inputs[input]));
    const given = (await resolved(pulumi.output(opts.dependsOn as pulumi.Resource))) ?? [];
    const urns = await Promise.all([given].flat().map(({ urn }) => resolved(urn)));
    const dependsOn = urns.map((urn) => urn.slice(urn.lastIndexOf("::") + 2));
    return { type, name, inputs: plain(inputs) as Deployed["inputs"], secretInputs, opts, dependsOn };
}

function plain(value: unknown): unknown {
    if (pulumi.runtime.isRpcSecret(value)) return plain(pulumi.runtime.unwrapRpcSecret(value));
    if (Array.isArray(value)) return value.map(plain);
    if (value !== null && typeof value === "object") {
        return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]));
    }
    return value;
}
