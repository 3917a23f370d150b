import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const resolver = resolve(__dirname, "../../../../simulator/clouds/bin/resolve-names.cjs");

describe("the DNS of a simulated cloud", () => {
    const folder = mkdtempSync(join(tmpdir(), "tradewind-names-"));
    const path = join(folder, "account.json");
    before(() => {
        const hostedZones = { Z2: { name: "example.test" } };
        const both = { name: "both.example.test" };
        const records = {
            Z1_1_A: { name: "api.c.example.test", address: "127.0.0.9" },
            Z2_2_A: { ...both, address: "127.0.0.3" },
            Z1_2_A: { ...both, address: "127.0.0.4" },
            Z2_3_A: { name: "inside.example.test", address: "127.0.0.5" },
        };
        const record = { domain: "example.test", name: "api.d" };
        const dnsRecords = {
            2: { ...record, value: "127.0.0.7" },
            3: { ...record, value: "127.0.0.8" },
            4: { ...record, value: "2001:db8::1" },
        };
        writeFileSync(path, JSON.stringify({ resources: { records, dnsRecords, hostedZones } }));
    });
    after(() => rmSync(folder, { recursive: true }));

    const lookUp = (name: string, account: string) =>
        execFileSync(
            process.execPath,
            [
                ...["--require", resolver, "--eval"],
                `const dns = require("node:dns");
                dns.lookup("${name}", (error, address, family) => {
                    dns.lookup("${name}", { all: true }, (_, all) => console.log(error?.code ?? [address, family, all]));
                });`,
            ],
            { encoding: "utf8", env: { ...process.env, TRADEWIND_SIMULATED_ACCOUNT: account } },
        ).trim();

    it("returns the addresses of its records to Node programs", () => {
        assert.equal(lookUp("api.c.example.test", path), "[ '127.0.0.9', 4, [ { address: '127.0.0.9', family: 4 } ] ]");
    });

    it("returns every address of a name with several", () => {
        assert.match(lookUp("api.d.example.test", path), /'127\.0\.0\.7'.*'127\.0\.0\.7'.*'127\.0\.0\.8'/s);
    });

    it("prefers public zones, and knows private ones too", () => {
        assert.match(
            lookUp("both.example.test", path),
            /^\[ '127\.0\.0\.4', 4, \[ \{ address: '127\.0\.0\.4', family: 4 \} \] \]$/,
        );
        assert.match(lookUp("inside.example.test", path), /^\[ '127\.0\.0\.5'/);
    });

    it("leaves all other names to the system", () => {
        assert.match(lookUp("localhost", path), /^\[ '(127\.0\.0\.1|::1)'/);
        assert.match(lookUp("localhost", join(folder, "missing.json")), /^\[ '(127\.0\.0\.1|::1)'/);
    });
});
