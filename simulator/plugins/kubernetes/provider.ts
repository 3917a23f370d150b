import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { parseAllDocuments } from "yaml";
import {
    type Failure,
    isObject,
    isUnknown,
    type Properties,
    type Provider,
    type ReadOperation,
    type Resource,
} from "../protocol/serve";
import { annotation, isAnnotated } from "./annotations";
import { ruleFor } from "./await/rules";
import { Reach } from "./cluster";
import { type Config, parseConfig } from "./config";
import { create, previewCreate } from "./creation";
import { diff, diffConfig } from "./diff";
import { hasNamespace, type Kind, type KubernetesObject, kindOf, listAt, parseType, withMetadata } from "./object";
import { read, remove } from "./read";
import { inputsOf, liveOf, marked } from "./state";
import { previewUpdate, update } from "./update";

/** The version of the official plugin that this one replaces. */
const VERSION = "4.34.2";

/** A stand-in for `pulumi-resource-kubernetes`. */
export function kubernetes(): Provider {
    let config = parseConfig({});
    let reach = Reach.unconfigured();
    return {
        name: "kubernetes",
        version: VERSION,
        diffConfig: async (after, before) => diffConfig(after, before),
        async configure(args) {
            config = parseConfig(args);
            reach = Reach.of(config);
            await reach.isReachable();
        },
        resource: (type) => resource(type, config, reach),
        async invoke(token, args) {
            if (token === "kubernetes:yaml:decode") return { result: decodeYaml(args) };
            throw new Error(`${token} is not in this stand-in for the kubernetes plugin`);
        },
        close: async () => reach.close(),
    };
}

function resource(type: string, config: Config, reach: Reach): Resource {
    const { isPatch } = parseType(type);
    const isLeftAlone = async () => config.skipUpdateUnreachable && !(await reach.isReachable());
    return {
        async check({ inputs, oldInputs, name, log }) {
            if (Object.keys(oldInputs).length && (await isLeftAlone())) {
                log.warn("Cluster is unreachable but skipUpdateUnreachable flag is set to true, skipping...");
                return { inputs: oldInputs };
            }
            return check(inputs, {
                type,
                name,
                oldInputs,
                namespace: reach.namespace,
                isNamespaced: (asked) => reach.isNamespaced(asked),
                enableServerSideApply: config.enableServerSideApply,
            });
        },
        async diff({ inputs, oldInputs, state }) {
            const before = inputsOf(oldInputs, state);
            const sides = { inputs, oldInputs: before, live: liveOf(state) };
            // After a failed rollout the engine's inputs differ from those of the object.
            return { ...diff(sides, config, isPatch), isOfOutputs: !isDeepStrictEqual(before, oldInputs) };
        },
        async create(operation) {
            const creation = { ...operation, isPatch };
            if (!operation.preview) return create(await reach.cluster(), config, creation);
            const cluster = await reach.clusterIfReachable();
            const state = cluster ? await previewCreate(cluster, config, creation) : operation.inputs;
            return { id: "", state };
        },
        async update(operation) {
            const change = { ...operation, oldInputs: inputsOf(operation.oldInputs, operation.state), isPatch };
            if (!operation.preview) return update(await reach.cluster(), config, change);
            const cluster = await reach.clusterIfReachable();
            return cluster ? previewUpdate(cluster, config, change) : operation.inputs;
        },
        async read(operation) {
            const cluster = await reach.clusterIfReachable();
            if (cluster) return read(cluster, operation);
            return readUnreachable(operation, config, await reach.problem());
        },
        async delete(operation) {
            const inputs = inputsOf(operation.inputs, operation.state);
            const cluster = await reach.clusterIfReachable();
            if (cluster) return remove(cluster, { ...operation, inputs, isPatch });
            operation.log.warn((await reach.problem()).message);
            if (!config.deleteUnreachable) throw new Error(`${(await reach.problem()).message}. ${HOW_TO_FORGET}`);
            operation.log.info("deleting the unreachable resource from Pulumi state (deleteUnreachable)");
        },
    };
}

/** The objects of a YAML text, including those inside lists; used by the SDK's `yaml.ConfigFile`. */
export function decodeYaml({ text, defaultNamespace }: Properties): Properties[] {
    const documents = parseAllDocuments(String(text ?? "")).map((document) => {
        const [error] = document.errors;
        if (error) throw new Error(`text must be YAML: ${error.message}`);
        return document.toJS();
    });
    const objects = documents.filter(isObject).flatMap((object) => {
        return String(object.kind).endsWith("List") && object.items ? listAt(object, "items") : [object];
    });
    return objects.map((object) => placed(object, defaultNamespace));
}

function placed(object: KubernetesObject, namespace: unknown): KubernetesObject {
    const isPlaced = !namespace || object.metadata?.namespace || hasNamespace(kindOf(object)) === false;
    return isPlaced ? object : withMetadata(object, { namespace: String(namespace) });
}

/** What to do if the cluster was deleted. */
const HOW_TO_FORGET =
    "If the cluster was deleted, you can remove this resource from Pulumi state by rerunning the operation with the " +
    'PULUMI_K8S_DELETE_UNREACHABLE environment variable set to "true"';

/** What a refresh does with an object whose cluster is unreachable. */
function readUnreachable({ id, inputs, state, log }: ReadOperation, config: Config, problem: Error) {
    log.warn(problem.message);
    if (config.deleteUnreachable) {
        log.info("deleting the unreachable resource from Pulumi state (`deleteUnreachable`)");
        return undefined;
    }
    if (config.skipUpdateUnreachable) {
        log.info("keeping the state of the unreachable resource as it was (`skipUpdateUnreachable`)");
        return { id, state, inputs };
    }
    throw new Error(`failed to read resource state due to unreachable cluster. ${HOW_TO_FORGET}`);
}

// Only set by the API server; present in a manifest exported from a cluster.
const READ_ONLY = {
    creationTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
    deletionTimestamp: undefined,
    generation: undefined,
    managedFields: undefined,
    resourceVersion: undefined,
    uid: undefined,
};

export interface CheckOptions {
    readonly type: string;
    readonly name: string;
    readonly oldInputs: KubernetesObject;
    /** Namespace of objects that specify none. */
    readonly namespace: string;
    /** Only called for kinds that are not built in. */
    readonly isNamespaced: (kind: Kind) => Promise<boolean>;
    readonly enableServerSideApply: boolean;
}

/** Completes the inputs: a name if there is none, a namespace if there must be one. */
export async function check(
    inputs: KubernetesObject,
    { type, name, oldInputs, namespace, isNamespaced, enableServerSideApply }: CheckOptions,
): Promise<{ inputs: Properties; failures: Failure[] }> {
    const kind = parseType(type);
    const failures = [...problems(inputs, kind, enableServerSideApply), ...annotationProblems(inputs)];
    if (failures.length) return { inputs, failures };
    // Nothing can be checked if metadata is unknown, not even that the name is missing.
    if (isUnknown(inputs.metadata)) return { inputs: marked(inputs, new Set()), failures };
    const clean = inputs.metadata ? withMetadata(inputs, READ_ONLY) : inputs;
    const complete = named(clean, oldInputs, name);
    const needsNamespace = !complete.metadata?.namespace && (await isNamespaced(kind));
    const placed = needsNamespace ? withMetadata(complete, { namespace }) : complete;
    return { inputs: marked(placed, new Set()), failures: [] };
}

// Validate what an object waits for before it is created.
function annotationProblems(inputs: KubernetesObject): Failure[] {
    try {
        ruleFor(inputs);
        return [];
    } catch (error) {
        return [{ property: "metadata.annotations", reason: (error as Error).message }];
    }
}

function problems(
    { metadata }: KubernetesObject,
    { kind, isPatch }: Kind & { isPatch: boolean },
    isServerSideApply: boolean,
): Failure[] {
    if (kind.endsWith("List")) {
        return [
            { property: "kind", reason: `kind must be of a single object (got ${kind}): create its items instead` },
        ];
    }
    if (isPatch && !isServerSideApply) {
        return [{ property: "", reason: "patch resources need enableServerSideApply on the provider" }];
    }
    if (isPatch && !metadata?.name && !isUnknown(metadata)) {
        return [{ property: "metadata.name", reason: "patch resources require `.metadata.name` to be set" }];
    }
    if (metadata?.generateName && !metadata.name) {
        return [{ property: "metadata.generateName", reason: "metadata.generateName is not supported, leave it out" }];
    }
    return [];
}

const LETTERS = 8;

/** Gives an object without a name its previous one, or the resource's name with a random suffix. */
function named(inputs: KubernetesObject, oldInputs: KubernetesObject, resourceName: string): KubernetesObject {
    if (inputs.metadata?.name) return inputs;
    const name = isAnnotated(oldInputs, "autonamed") ? oldInputs.metadata?.name : undefined;
    return withMetadata(inputs, {
        name: name ?? `${resourceName}-${randomBytes(LETTERS / 2).toString("hex")}`,
        annotations: { ...inputs.metadata?.annotations, [annotation.autonamed]: "true" },
    });
}
