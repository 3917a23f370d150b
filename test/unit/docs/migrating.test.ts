import assert from "node:assert/strict";
import { z } from "zod";
import { type Schema, schemaRows } from "../../../dev/reference/schema-rows";
import { awsConfig, digitalOceanConfig } from "../../../stacks/config";
import { textOf } from "./pages";

describe("the page for migrating from Typhoon", () => {
    it("names existing keys", () => {
        const known = [awsConfig, digitalOceanConfig].flatMap((schema) =>
            schemaRows(z.toJSONSchema(schema, { io: "input" }) as Schema).map(({ key }) => key),
        );
        const outputs = ["kubeconfig", "ingressName"];
        const table = textOf("docs/migrating-from-typhoon.md").split("\n## Options\n")[1]!.split("\n## ")[0]!;
        const named = [...table.matchAll(/^\|[^|]*\| ([^|]*?) +\|/gm)]
            .flatMap(([, cell]) => [...cell!.matchAll(/`([^`]+)`/g)])
            .map(([, key]) => key!.replace(/^pools\[\]$/, "pools"));
        assert.ok(named.length > 25);
        assert.deepEqual(
            named.filter((key) => ![...known, ...outputs].includes(key)),
            [],
        );
    });
});
