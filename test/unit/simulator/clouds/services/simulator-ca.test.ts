import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { certificateFor, simulatorCa, simulatorCaFile } from "../../../../../simulator/clouds/services/simulator-ca";
import { useEmptyCache } from "../../../artifacts/cache";

describe("the CA of simulated clouds", () => {
    useEmptyCache();

    it("stays the same once created, and its certificate is stored separately from its key", () => {
        assert.deepEqual(simulatorCa(), simulatorCa());
        assert.equal(readFileSync(simulatorCaFile(), "utf8"), simulatorCa().certificate);
        assert.match(simulatorCa().certificate, /^-----BEGIN CERTIFICATE-----/);
    });

    it("signs for names", () => {
        const ca = new X509Certificate(simulatorCa().certificate);
        const own = new X509Certificate(/-----BEGIN CERT[\s\S]+/.exec(certificateFor(["*.s3.example.com"]))![0]);
        assert.equal(ca.ca, true);
        assert.equal(own.verify(ca.publicKey), true);
        assert.equal(own.checkHost("bucket.s3.example.com"), "*.s3.example.com");
    });
});
