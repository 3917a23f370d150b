import * as pulumi from "@pulumi/pulumi";
import { shownValue } from "../clients/shown-value";
import type { Schema } from "../cluster/check-shape";
import type { ControllerOptions } from "../cluster/options";
import { checkConfig } from "./check-config";
import type { LocalKeys, Read, SharedKeys } from "./options";
import schemas from "./schema.json";

/** The configuration of a stack on any cloud. */
export type StackConfig = Read<SharedKeys<ControllerOptions> & Pick<LocalKeys, "registryCredentials">>;

/** The cloud that the stack is for. */
export function cloud<T extends string>(known: readonly T[]): T {
    const value = new pulumi.Config("tradewind").get("cloud") ?? "local";
    if (!known.includes(value as T)) {
        throw new pulumi.RunError(`tradewind:cloud must be one of ${known.join(", ")} (got ${value})`);
    }
    return value as T;
}

/** Every value of a namespace, with JSON and numbers decoded, so that unknown keys are found. */
function readAll(namespace: string): Record<string, unknown> {
    const config = new pulumi.Config(namespace);
    const keys = Object.keys(pulumi.runtime.allConfig()).filter((key) => key.startsWith(`${namespace}:`));
    return Object.fromEntries(
        keys.map((key) => {
            const name = key.slice(namespace.length + 1);
            const text = config.require(name);
            return [name, /^([[{]|-?\d+$|true$|false$)/.test(text) ? parsed(key, text) : text];
        }),
    );
}

function parsed(key: string, text: string): unknown {
    try {
        return JSON.parse(text);
    } catch {
        throw new pulumi.RunError(`${key} must be JSON (got ${isSecret(key) ? "[secret]" : shownValue(text)})`);
    }
}

/** Exported by the SDK, but missing from its type declarations. */
function isSecret(key: string): boolean {
    const { isConfigSecret } = pulumi.runtime as unknown as { isConfigSecret(key: string): boolean };
    return isConfigSecret(key);
}

/** The configuration in the form that programs take. @param keys - name of their interface */
export function readConfig<Keys>(keys: keyof typeof schemas): Read<Keys> {
    const isHidden = (key: string) => isSecret(`tradewind:${key}`);
    const { value, errors } = checkConfig(schemas[keys] as Schema, readAll("tradewind"), isHidden);
    if (errors.length > 0) throw new pulumi.RunError(errors.join("\n"));
    const config = value as { controllers?: number | object };
    return (
        typeof config.controllers === "number" ? { ...config, controllers: { count: config.controllers } } : config
    ) as Read<Keys>;
}
