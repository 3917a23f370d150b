import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parse } from "yaml";
import type { Schema } from "../../../cluster/check-shape";
import { checkConfigs } from "../../../cluster/machines/check";
import { resolveCluster } from "../../../cluster/resolve";
import { localNetwork } from "../../../components/local/network";
import { schemaRows } from "../../../dev/reference/schema-rows";
import { checkConfig } from "../../../stacks/check-config";
import type { LocalKeys as LocalKeysType, Read } from "../../../stacks/options";
import { programOptions } from "../../../stacks/program-options";
import { LocalKeys } from "../../../stacks/schema.json";
import { downloads } from "../components/in-cluster/fixture";

const text = readFileSync(resolve(__dirname, "../../../docs/configuration.md"), "utf8");
const example = Object.fromEntries(
    Object.entries(parse(/```yaml\n(.*?)```/s.exec(text)![1]!).config).map(([key, value]) => [
        key.replace(/^tradewind:/, ""),
        value,
    ]),
);

/** Keys of a value, in the same notation. */
function keysIn(value: unknown, prefix = ""): string[] {
    if (Array.isArray(value)) return value.flatMap((each) => keysIn(each, `${prefix}[]`));
    if (value === null || typeof value !== "object") return [];
    return Object.entries(value).flatMap(([key, each]) => {
        const path = prefix ? `${prefix}.${key}` : key;
        return [path, ...keysIn(each, path)];
    });
}

describe("the documentation of the configuration", () => {
    const known = schemaRows(LocalKeys as Schema).map(({ key }) => key);

    it("has an example of every key", () => {
        const shown = new Set(keysIn(example));
        assert.deepEqual(
            known.filter((key) => !shown.has(key)),
            [],
        );
    });

    it("has an example that makes a cluster", () => {
        const { value, errors } = checkConfig(LocalKeys as Schema, example);
        assert.deepEqual(errors, []);
        const { machineCidr, ...options } = programOptions(value as Read<LocalKeysType>);
        const cluster = resolveCluster({ ...options, name: "c" });
        checkConfigs(cluster, downloads);
        assert.equal(Object.keys(localNetwork(cluster, machineCidr).machines).length, 6);
    });
});
