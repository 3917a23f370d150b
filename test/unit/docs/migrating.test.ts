import assert from "node:assert/strict";
import type { Schema } from "../../../cluster/check-shape";
import { schemaRows } from "../../../dev/reference/schema-rows";
import { AwsKeys, DigitalOceanKeys } from "../../../stacks/schema.json";
import { textOf } from "./pages";

describe("the page for migrating from Typhoon", () => {
    it("names existing keys", () => {
        const known = [AwsKeys, DigitalOceanKeys].flatMap((schema) =>
            schemaRows(schema as Schema).map(({ key }) => key),
        );
        const outputs = ["kubeconfig", "ingressName"];
        const table = textOf("docs/migrating-from-typhoon.md").split("\n## Options\n")[1]!.split("\n## ")[0]!;
        const named = [...table.matchAll(/^\|[^|]*\| ([^|]*?) +\|/gm)]
            .flatMap(([, cell]) => [...cell!.matchAll(/`([^`]+)`/g)])
            .map(([, key]) => key!.replace(/^workerPools\[\]$/, "workerPools"));
        assert.ok(named.length > 25);
        assert.deepEqual(
            named.filter((key) => ![...known, ...outputs].includes(key)),
            [],
        );
    });
});
