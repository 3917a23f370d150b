import assert from "node:assert/strict";
import { cloudNames } from "../../../../cluster/clouds";
import { packageManifest, requiredPackages } from "../../../../dev/release/build";

const checkout = {
    ...{ name: "tradewind", version: "1.2.3", description: "Kubernetes", license: "Apache-2.0" },
    engines: { node: ">=20" },
    dependencies: { "@pulumi/pulumi": "^3.1.0", esbuild: "^0.1.0", semver: "^7.1.0", yaml: "^2.1.0" },
};

describe("the npm package's manifest", () => {
    it("contains what the package loads, in the checkout's versions, and no build tools", () => {
        const manifest = packageManifest(
            checkout,
            ["semver", "esbuild", "@pulumi/pulumi"],
            ["package.json", "plugin", "LICENSE", "index.js", "README.md"],
        );
        assert.deepEqual(manifest, {
            ...{ name: "tradewind", version: "1.2.3", description: "Kubernetes", license: "Apache-2.0" },
            engines: { node: ">=20" },
            keywords: ["kubernetes", "pulumi", "self-hosted", "ignition", ...cloudNames],
            ...{ type: "commonjs", main: "./plugin/main.cjs", types: "./index.d.ts" },
            bin: { tradewind: "cli/tradewind.cjs" },
            exports: {
                ".": { types: "./index.d.ts", default: "./index.js" },
                "./ignition": { types: "./ignition/index.d.ts", default: "./ignition/index.js" },
                "./package.json": "./package.json",
            },
            files: ["index.js", "plugin"],
            dependencies: { "@pulumi/pulumi": "^3.1.0", semver: "^7.1.0" },
        });
    });

    it("names the repository that it was built from, as npm's provenance requires", () => {
        const repository = "https://git.example/winds/tradewind";
        const manifest = packageManifest({ ...checkout, repository }, [], []);
        const { repository: source, homepage, bugs } = manifest as Record<string, unknown>;
        assert.deepEqual(source, { type: "git", url: "git+https://git.example/winds/tradewind.git" });
        assert.deepEqual([homepage, bugs], [`${repository}#readme`, `${repository}/issues`]);
    });

    it("rejects packages that are not dependencies of the checkout", () => {
        assert.throws(() => packageManifest(checkout, ["ws"], []), {
            message: "loaded packages must be dependencies (got ws)",
        });
    });
});

describe("the packages that JavaScript loads", () => {
    it("exclude files and Node's own modules, and are listed once", () => {
        const texts = [
            'const a = require("node:fs"); require("path"); require("./own"); require("../own");',
            'require("@pulumi/aws/ec2/vpc"); require("@pulumi/aws/lb"); require("semver"); require("yaml/dist/x");',
        ];
        assert.deepEqual(requiredPackages(texts), ["@pulumi/aws", "semver", "yaml"]);
    });
});
