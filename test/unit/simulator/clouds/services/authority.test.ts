import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { authority, authorityFile, certificateFor } from "../../../../../simulator/clouds/services/authority";
import { useEmptyCache } from "../../../artifacts/cache";

describe("the CA of simulated clouds", () => {
    useEmptyCache();

    it("stays the same once created, and its certificate is stored separately from its key", () => {
        assert.deepEqual(authority(), authority());
        assert.equal(readFileSync(authorityFile(), "utf8"), authority().certificate);
        assert.match(authority().certificate, /^-----BEGIN CERTIFICATE-----/);
    });

    it("signs for names", () => {
        const ca = new X509Certificate(authority().certificate);
        const own = new X509Certificate(/-----BEGIN CERT[\s\S]+/.exec(certificateFor(["*.s3.example.com"]))![0]);
        assert.equal(ca.ca, true);
        assert.equal(own.verify(ca.publicKey), true);
        assert.equal(own.checkHost("bucket.s3.example.com"), "*.s3.example.com");
    });
});
