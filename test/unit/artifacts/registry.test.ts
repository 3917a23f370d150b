import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256File } from "../../../artifacts/checksum";
import { pushImage } from "../../../artifacts/oci";
import { Registry, send } from "../../../artifacts/registry";

describe("the images' registry", () => {
    let folder: string;
    let registry: Registry;
    before(async () => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-registry-"));
        registry = await Registry.start(join(folder, "storage"), folder);
    });
    after(async () => {
        await registry.stop();
        rmSync(folder, { recursive: true });
    });

    it("returns a pushed image: manifest, configuration and layers", async () => {
        const layer = join(folder, "layer.tar");
        writeFileSync(layer, "the layer's bytes");
        const digests = await pushImage(registry.socket, "library/test", "v1", [layer], { Cmd: ["sh"], User: "99" });
        const headers = { accept: "application/vnd.oci.image.manifest.v1+json" };
        const get = (path: string) => send(registry.socket, "GET", `/v2/library/test/${path}`, { headers });
        const manifest = JSON.parse((await get("manifests/v1")).body);
        assert.deepEqual(
            [manifest.config, ...manifest.layers].map(({ digest }) => digest),
            digests.slice(1).map((digest) => `sha256:${digest}`),
        );
        assert.equal((await get(`blobs/${manifest.layers[0].digest}`)).body, "the layer's bytes");
        const config = JSON.parse((await get(`blobs/${manifest.config.digest}`)).body);
        assert.deepEqual(config.config, { Cmd: ["sh"], User: "99" });
        assert.deepEqual(config.rootfs.diff_ids, [`sha256:${await sha256File(layer)}`]);
    });

    it("gives the same image the same digests under every name", async () => {
        const layer = join(folder, "same.tar");
        writeFileSync(layer, "same");
        const first = await pushImage(registry.socket, "one", "v1", [layer], {});
        const second = await pushImage(registry.socket, "another/name", "v2", [layer], {});
        assert.deepEqual(first, second);
    });
});
