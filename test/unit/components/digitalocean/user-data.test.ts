import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readNodeConfig } from "../../../../cli/preview/node-config";
import { userData } from "../../../../components/digitalocean/node-configs";
import { config, file } from "../../../../ignition";

const filled = (bytes: number) => config({ files: [file("/srv/filled", "x".repeat(bytes))] });
/** Compression makes it shorter by less than half. */
const random = (bytes: number) => config({ files: [file("/srv/random", randomBytes(bytes / 2).toString("hex"))] });

describe("the user-data of a droplet", () => {
    it("is in the form that the image reads", () => {
        assert.match(userData("c-a-0", "ignition", filled(1)), /^\{"ignition":/);
        assert.match(userData("c-a-0", "cloud-init", filled(1)), /^#cloud-config\n/);
    });

    it("is refused when DigitalOcean would not take it", () => {
        const message =
            /^the user-data of c-a-0, including snippets, must be at most 65536 bytes when its files are compressed \(got \d{5,6}\)$/;
        for (const os of ["ignition", "cloud-init"] as const) {
            assert.throws(() => userData("c-a-0", os, random(200_000)), { message });
        }
    });

    it("has compressed files only when it would be too long otherwise", () => {
        for (const os of ["ignition", "cloud-init"] as const) {
            const text = userData("c-a-0", os, filled(65_000));
            assert.ok(text.includes("x".repeat(65_000)));
            const shorter = userData("c-a-0", os, filled(66_000));
            assert.ok(shorter.length < 1_000, String(shorter.length));
            const texts = Object.entries(readNodeConfig(shorter)!.texts);
            assert.ok(
                texts.some(([name, content]) => name.includes("/srv/filled") && content.includes("x".repeat(66_000))),
            );
        }
    });
});
