import assert from "node:assert/strict";
import { resolve } from "node:path";
import { functions as awsFunctions } from "../../../../simulator/clouds/aws/functions";
import { types as awsTypes } from "../../../../simulator/clouds/aws/types";
import { functions as digitalOceanFunctions } from "../../../../simulator/clouds/digitalocean/functions";
import { types as digitalOceanTypes } from "../../../../simulator/clouds/digitalocean/types";
import { usedIn, usedTypes } from "./used-types";

const root = resolve(__dirname, "../../../..");

const clouds = {
    aws: { types: awsTypes, functions: awsFunctions },
    digitalocean: { types: digitalOceanTypes, functions: digitalOceanFunctions },
};

for (const [cloud, { types, functions }] of Object.entries(clouds)) {
    describe(`what our stacks use of ${cloud}`, () => {
        const used = usedTypes(root, cloud);
        const tokens = (isFunction: boolean) =>
            [...new Set(used.filter((each) => each.isFunction === isFunction).map(({ token }) => token))].sort();

        it("are exactly the types that its simulator checks", () => {
            assert.deepEqual(tokens(false), Object.keys(types).sort());
        });

        it("are exactly the functions that its simulator answers", () => {
            assert.deepEqual(tokens(true), Object.keys(functions).sort());
        });
    });
}

describe("usedIn", () => {
    const used = (text: string) => usedIn(text, "aws", "a.ts").map(({ token }) => token);

    it("returns resources and functions by their names in a state, however they are called", () => {
        assert.deepEqual(used('import { Instance as Machine } from "@pulumi/aws/ec2/instance";'), [
            "aws:ec2/instance:Instance",
        ]);
        assert.deepEqual(used('import { getAmiOutput } from "@pulumi/aws/ec2/getAmi";'), ["aws:ec2/getAmi:getAmi"]);
        assert.deepEqual(
            usedIn('import { Tag } from "@pulumi/digitalocean/tag";', "digitalocean", "a.ts").map(({ token }) => token),
            ["digitalocean:index/tag:Tag"],
        );
    });

    it("does not count TypeScript types or other packages", () => {
        assert.deepEqual(used('import type { Vpc } from "@pulumi/aws/ec2/vpc"; import { x } from "@pulumi/awsx";'), []);
        assert.deepEqual(used('import { type Vpc } from "@pulumi/aws/ec2/vpc";'), []);
    });

    for (const text of [
        'import * as aws from "@pulumi/aws";',
        'import { Instance } from "@pulumi/aws/ec2";',
        'import { Other } from "@pulumi/aws/ec2/instance";',
        'export * from "@pulumi/aws/ec2/instance";',
        'const { Instance } = require("@pulumi/aws/ec2/instance");',
    ]) {
        it(`rejects an ambiguous import: ${text}`, () => {
            assert.throws(() => used(text), /^Error: a\.ts must import each type from its own file of the SDK \(got /);
        });
    }
});
