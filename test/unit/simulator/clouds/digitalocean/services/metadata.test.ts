import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Account } from "../../../../../../simulator/clouds/digitalocean/account";
import { metadata } from "../../../../../../simulator/clouds/digitalocean/services";

describe("DigitalOcean's simulated metadata service", () => {
    const folder = mkdtempSync(join(tmpdir(), "tradewind-account-"));
    after(() => rmSync(folder, { recursive: true }));
    const account = Account.open(join(folder, "account.json"), { domains: [], images: {}, sshKeys: [] });
    account.put("vpcs", "v", { name: "c", region: "fra1", ipRange: "10.9.0.0/24" });
    const at = { address: "10.9.0.10", publicAddress: "10.9.0.138" };
    account.put("droplets", "400000001", {
        ...{ name: "c-a", region: "fra1", vpc: "v", tags: ["x", "y"], userData: "{}" },
        ...at,
    });
    const ask = (path: string, network = "c", method = "GET") => {
        const asked = { method, path, headers: {}, host: "169.254.169.254", query: "", body: Buffer.alloc(0) };
        return metadata(account, asked, { network, address: "10.9.0.10" });
    };

    it("describes a droplet to itself", () => {
        const told = ["id", "hostname", "region", "user-data", "interfaces/private/0/ipv4/ip_address", "tags"];
        assert.deepEqual(
            told.map((each) => ask(`/metadata/v1/${each}`).body),
            ["400000001", "c-a", "fra1", "{}", "10.9.0.10", "x\ny"],
        );
        assert.equal(ask("/metadata/v1/interfaces/public/").body, "0/");
    });

    it("describes it in one document", () => {
        const { droplet_id: id, interfaces } = JSON.parse(String(ask("/metadata/v1.json").body));
        assert.equal(id, 400000001);
        const { ip_address, netmask } = interfaces.public[0].ipv4;
        assert.deepEqual([ip_address, netmask], ["10.9.0.138", "255.255.255.0"]);
    });

    it("returns nothing else, and nothing to others", () => {
        assert.equal(ask("/metadata/v1/other").status, 404);
        assert.equal(ask("/latest/meta-data/").status, 404);
        assert.equal(ask("/metadata/v1/id", "other").status, 404);
        assert.equal(ask("/metadata/v1/id", "c", "POST").status, 405);
    });
});
