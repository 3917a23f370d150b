import { isDeepStrictEqual } from "node:util";
import type { Provider, Resource } from "../plugin";
import { check } from "./check";
import { type Config, parseConfig } from "./config";
import { create, previewCreate } from "./creation";
import { decodeYaml } from "./decode-yaml";
import { remove } from "./deletion";
import { diff } from "./diff";
import { diffConfig } from "./diff-config";
import { parseType } from "./kind";
import { Reach } from "./reach";
import { read } from "./read";
import { inputsOf, liveOf } from "./state";
import { HOW_TO_FORGET, readUnreachable } from "./unreachable";
import { previewUpdate, update } from "./update";

/** The version of the official plugin that this one stands in for. */
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
            // After a rollout that failed the engine's inputs are not those that the object has.
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
