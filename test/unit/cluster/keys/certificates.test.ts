import assert from "node:assert/strict";
import { resolveDefaults } from "../../../../cluster/defaults";
import { resolveCertificates as resolve } from "../../../../cluster/keys/certificates";
import type { CertificateOptions } from "../../../../cluster/options";

const resolveCertificates = (options: CertificateOptions, generation?: number) =>
    resolve(options, resolveDefaults(generation));

describe("the generations of certificates", () => {
    it("are the first where nothing is said", () => {
        const first = { generation: 1, administrator: 1 };
        assert.deepEqual(resolveCertificates({}), { ...first, kubeletServing: "verified" });
        assert.deepEqual(resolveCertificates({}, 1), { ...first, kubeletServing: "own" });
        assert.deepEqual(resolveCertificates({ kubeletServing: "own" }), { ...first, kubeletServing: "own" });
    });

    it("are set independently", () => {
        assert.deepEqual(resolveCertificates({ generation: 3, kubeletServing: "issued" }), {
            generation: 3,
            administrator: 1,
            kubeletServing: "issued",
        });
    });

    it("are refused with an unknown issuer of kubelet serving certificates", () => {
        assert.throws(() => resolveCertificates({ kubeletServing: "none" }), {
            message: "certificates.kubeletServing must be one of own, issued, verified, got none",
        });
    });

    for (const value of [0, -1, 1.5, Number.NaN, 2 ** 60]) {
        it(`are refused as ${value}`, () => {
            const legal = "must be a whole number, 1 or more, got";
            assert.throws(() => resolveCertificates({ generation: value }), {
                message: `certificates.generation ${legal} ${JSON.stringify(value)}`,
            });
            assert.throws(() => resolveCertificates({ administrator: value }), {
                message: `certificates.administrator ${legal} ${JSON.stringify(value)}`,
            });
        });
    }
});
