import assert from "node:assert/strict";
import type * as pulumi from "@pulumi/pulumi";
import { warnOfStockImage } from "../../../../components/digitalocean/droplets";
import { recordWarnings } from "../../record-warnings";

const runtime = { containerRuntime: { containerd: { urls: [], sha256: "" }, runc: { urls: [], sha256: "" } } };

describe("an image of DigitalOcean's own", () => {
    const warnings = recordWarnings();

    const component = undefined as unknown as pulumi.Resource;
    const table: [string, string, object, RegExp | undefined][] = [
        [
            "is warned of, since it has no containerd",
            "ubuntu-26-04-x64",
            {},
            /the image ubuntu-26-04-x64 has no containerd, .*: set downloads\.containerRuntime/,
        ],
        ["is taken where its machines fetch that", "ubuntu-26-04-x64", runtime, undefined],
        ["is none by a number", "170000001", {}, undefined],
        ["is not known if it is of the marketplace", "docker-20-04", {}, undefined],
    ];
    for (const [title, image, downloads, expected] of table) {
        it(title, () => {
            warnOfStockImage({ image }, downloads, component);
            if (expected) assert.match(warnings.join("\n"), expected);
            else assert.deepEqual(warnings, []);
        });
    }
});
