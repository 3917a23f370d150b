import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { follow } from "../../../../local/change/follow";

describe("watching a change of a local cluster", () => {
    it("is left out with a damaged kubeconfig, which the change writes again", async () => {
        const folder = mkdtempSync(join(tmpdir(), "tradewind-follow-"));
        const said: string[] = [];
        try {
            const path = join(folder, "kubeconfig");
            writeFileSync(path, '{"clusters":');
            assert.equal(await follow(path, (line) => said.push(line)), undefined);
        } finally {
            rmSync(folder, { recursive: true });
        }
        assert.match(said.join(), /^the change is not watched, .* kubeconfig must be valid YAML: /);
    });
});
