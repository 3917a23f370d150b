import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { cachedRole, instanceRole } from "../../../../clients/aws/instance-metadata";

const roles = "/latest/meta-data/iam/security-credentials/";
const whole = { Code: "Success", AccessKeyId: "id", SecretAccessKey: "key", Token: "token", Expiration: "later" };

describe("an instance's role", () => {
    let server: Server;
    /** Responses of the metadata service to requests with a token. */
    let has: Record<string, string>;
    const ask = () => instanceRole(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

    before(async () => {
        server = createServer(({ method, url = "", headers }, response) => {
            if (method === "PUT" && url === "/latest/api/token") return response.end("t");
            const said = headers["x-aws-ec2-metadata-token"] === "t" ? has[url] : undefined;
            return response.writeHead(said === undefined ? 404 : 200).end(said);
        });
        await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    });
    after(() => server.close());
    beforeEach(() => {
        has = { [roles]: "c-controller", [`${roles}c-controller`]: JSON.stringify(whole) };
    });

    it("provides temporary credentials to clients with a token", async () =>
        assert.deepEqual(await ask(), { accessKeyId: "id", secretAccessKey: "key", sessionToken: "token" }));

    it("is missing if the instance has no profile", async () => {
        has = {};
        await assert.rejects(ask(), { message: `the metadata service returned status 404 for ${roles}` });
    });

    it("is not used before EC2 can assume it", async () => {
        has[`${roles}c-controller`] = JSON.stringify({ Code: "AssumeRoleUnauthorizedAccess" });
        await assert.rejects(ask(), /no credentials of the instance's role: AssumeRoleUnauthorizedAccess/);
    });

    it("is queried again when credentials expire, and after an error", async () => {
        let [time, asked] = [0, 0];
        const role = cachedRole(
            async () => {
                if (++asked === 1) throw new Error("not yet");
                return { accessKeyId: `id-${asked}`, secretAccessKey: "key" };
            },
            () => time,
        );
        await assert.rejects(role(), /not yet/);
        const ids = [];
        for (time of [0, 239_999, 240_000]) ids.push((await role()).accessKeyId);
        assert.deepEqual(ids, ["id-2", "id-2", "id-3"]);
    });
});
