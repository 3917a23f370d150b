import { readFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import { aws } from "../../../stacks/aws";
import { digitalocean } from "../../../stacks/digitalocean";

/** A stack's configuration, as in its file. */
export type StackConfig = Readonly<Record<string, unknown>>;

/** Clusters of one cloud by name, each from a stack's whole configuration. */
export function clusters(configs: Readonly<Record<string, StackConfig>>): Record<string, unknown> {
    return Object.fromEntries(
        Object.entries(configs).map(([name, config]) => {
            const texts = Object.entries(config).map(([key, value]) => [
                key,
                typeof value === "string" ? value : JSON.stringify(value),
            ]);
            pulumi.runtime.setAllConfig(Object.fromEntries(texts));
            return [name, { aws, digitalocean }[config["tradewind:cloud"] as "aws" | "digitalocean"](name)];
        }),
    );
}

module.exports = clusters(JSON.parse(readFileSync("clusters.json", "utf8")));
