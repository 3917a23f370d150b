import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { allClouds, cloudNames, cloudOf } from "../../cluster/clouds";
import { sourceFiles } from "../../dev/structure";

const root = resolve(__dirname, "../..");
const textOf = (file: string) => readFileSync(join(root, file), "utf8");

/** Files that another cloud changes, in the order of CONTRIBUTING.md. */
const registries = [
    ...["package.json", "cluster/clouds.ts", "versions/cloud-images.ts", "agents/clean-up/clouds.ts"],
    ...["index.ts", "stacks/index.ts", "simulator/clouds/index.ts", "dev/clouds/index.ts"],
    ...["cli/verify-cloud/clouds/index.ts", "test/engine/paper/clouds.ts"],
];

/** Other files that name a cloud: add-ons and programs of one cloud, and benchmarks of two. */
const ofSomeClouds = [
    "artifacts/lock/test.ts",
    "cluster/manifests/addons/cluster-autoscaler.ts",
    "dev/bench/cloud.ts",
    "dev/bench/cloud/peers.ts",
    "dev/bench/cloud/up.ts",
    "dev/bench/scale/clouds.ts",
    "dev/contracts/controllers.ts",
    "dev/reference/instance-permissions.ts",
];

describe("the clouds", () => {
    it("are at most ten existing files to change for another one, which CONTRIBUTING.md lists", () => {
        const [section = ""] = /^### Add a cloud\n.*?(?=^##)/ms.exec(textOf("CONTRIBUTING.md")) ?? [];
        const listed = [...section.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file]) => file);
        assert.deepEqual(listed, registries);
        assert.ok(registries.length <= 10);
        for (const file of registries) {
            for (const name of cloudNames) assert.match(textOf(file), new RegExp(name, "i"), file);
        }
    });

    it("are named nowhere else: other code takes what it needs from the record of clouds", () => {
        const names = cloudNames.join("|");
        const isOwn = new RegExp(`(^|[/-])(${names})([/.-]|$)`);
        // A string or a type of a resource, and the key of a record.
        const isNamed = new RegExp(`["'\`](${names})["'\`:]|^\\s+(${names}):`, "m");
        const naming = sourceFiles(root)
            .filter((file) => !isOwn.test(file) && !registries.includes(file))
            .filter((file) => isNamed.test(textOf(file).replace(/^\s*(\/\/|\/?\*).*$/gm, "")));
        assert.deepEqual(naming, ofSomeClouds);
    });

    it("are found by the prefix of their resource types, and nothing else is a cloud", () => {
        for (const [index, name] of cloudNames.entries()) assert.equal(cloudOf(name), allClouds[index]);
        for (const name of ["local", "kubernetes", "toString"]) assert.equal(cloudOf(name), undefined);
        for (const { machine, network, loadBalancer, volume } of allClouds) {
            const [prefix = ""] = machine.type.split(":");
            for (const type of [network.type, loadBalancer.type, volume])
                assert.ok(type.startsWith(`${prefix}:`), type);
            assert.ok(cloudOf(prefix), prefix);
        }
    });
});
