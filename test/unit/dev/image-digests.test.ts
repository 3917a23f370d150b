import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { digestOf } from "../../../dev/image-digests";

const manifest = '{"schemaVersion":2,"manifests":[]}';
const sha256 = createHash("sha256").update(manifest).digest("hex");
const scope = "repository:library/node:pull";

describe("the digest of a published image", () => {
    let server: Server;
    let isOpen: boolean;
    let said: string;
    const at = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const digest = (image = "docker.io/library/node:22") => digestOf(image, at);

    before(async () => {
        server = createServer(({ url, headers }, response) => {
            const { pathname, searchParams } = new URL(url!, at());
            if (pathname === "/token") {
                const isRight = searchParams.get("scope") === scope && searchParams.get("service") === "hub";
                response.writeHead(isRight ? 200 : 400).end('{"token":"t"}');
            } else if (!isOpen && headers.authorization !== "Bearer t") {
                const challenge = `Bearer realm="${at()}/token",service="hub",scope="${scope}"`;
                response.writeHead(401, { "www-authenticate": challenge }).end();
            } else if (pathname === "/v2/library/node/manifests/22" && headers.accept?.includes("image.index")) {
                response.writeHead(200, { "docker-content-digest": `sha256:${said}` }).end(manifest);
            } else {
                response.writeHead(404).end();
            }
        });
        await once(server.listen(0, "127.0.0.1"), "listening");
    });
    after(() => server.close());
    beforeEach(() => {
        [isOpen, said] = [true, sha256];
    });

    it("is that of its manifest for all architectures", async () => assert.equal(await digest(), sha256));

    it("is read with a token where the registry requires one", async () => {
        isOpen = false;
        assert.equal(await digest(), sha256);
    });

    it("is refused if the registry says another", async () => {
        said = "0".repeat(64);
        await assert.rejects(digest(), /has SHA-256 \w+, but its registry says sha256:0{64}$/);
    });

    it("is not found for a tag that does not exist", async () => {
        await assert.rejects(digest("docker.io/library/node:0"), /manifests\/0 answers 404$/);
    });
});
