import type { StackConfig } from "./stack-config";

/** What hosts itself beside the control plane, by the level: docs/levels.md. */
const partsOf = { "2-4": undefined, "1-4": { etcd: true }, "0-4": { kubelet: true } } as const;

export type Level = keyof typeof partsOf;

export const LEVELS = Object.keys(partsOf) as readonly Level[];

const KEY = "tradewind:selfHosted";

/** A configuration at another level. @param level - @default - that which it has */
export function atLevel(config: StackConfig, level: Level | undefined): StackConfig {
    if (level === undefined) return config;
    const { [KEY]: _, ...others } = config;
    const parts = partsOf[level];
    return parts ? { ...others, [KEY]: parts } : others;
}
