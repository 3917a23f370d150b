import assert from "node:assert/strict";
import { resolveDefaults } from "../../../../cluster/defaults";
import { boundAdministrators } from "../../../../cluster/keys/administrator";
import { resolveCertificates as resolve } from "../../../../cluster/keys/certificates";
import type { CertificateOptions } from "../../../../cluster/options";

const resolveCertificates = (options: CertificateOptions, generation?: number) =>
    resolve(options, resolveDefaults(generation));

describe("the generations of certificates", () => {
    it("are the first where nothing is said", () => {
        const first = { generation: 1, administrator: 1 };
        const secure = { ...first, administratorGroup: "tradewind:administrators", kubeletRenewal: "listed" };
        const former = { ...first, administratorGroup: "system:masters", kubeletRenewal: "any" };
        assert.deepEqual(resolveCertificates({}), { ...secure, kubeletServing: "verified" });
        assert.deepEqual(resolveCertificates({}, 1), { ...former, kubeletServing: "own" });
        assert.deepEqual(resolveCertificates({ kubeletServing: "own" }), { ...secure, kubeletServing: "own" });
    });

    it("are set independently", () => {
        assert.deepEqual(resolveCertificates({ generation: 3, kubeletServing: "issued" }), {
            generation: 3,
            administrator: 1,
            administratorGroup: "tradewind:administrators",
            kubeletServing: "issued",
            kubeletRenewal: "listed",
        });
    });

    it("leave renewals of removed machines' certificates to clusters with earlier defaults", () => {
        assert.equal(resolveCertificates({}, 1).kubeletRenewal, "any");
        assert.equal(resolveCertificates({ kubeletRenewal: "listed" }, 1).kubeletRenewal, "listed");
        assert.throws(() => resolveCertificates({ kubeletRenewal: "none" }), {
            message: "certificates.kubeletRenewal must be one of listed, any, got none",
        });
    });

    it("are refused with an unknown issuer of kubelet serving certificates", () => {
        assert.throws(() => resolveCertificates({ kubeletServing: "none" }), {
            message: "certificates.kubeletServing must be one of own, issued, verified, got none",
        });
    });

    it("give the administrator a known group only, whatever the defaults are", () => {
        const group = (administratorGroup: string, generation: number) =>
            resolveCertificates({ administratorGroup }, generation).administratorGroup;
        assert.equal(group("system:masters", 2), "system:masters");
        assert.equal(group("tradewind:administrators", 1), "tradewind:administrators");
        const message =
            "certificates.administratorGroup must be one of tradewind:administrators, system:masters, got admins";
        assert.throws(() => group("admins", 2), { message });
    });

    it("bind another group with each number, so that an earlier certificate loses its permissions", () => {
        const bound = (administrator: number, administratorGroup: string) =>
            boundAdministrators(resolveCertificates({ administrator, administratorGroup }));
        assert.equal(bound(1, "tradewind:administrators"), "tradewind:administrators");
        assert.equal(bound(2, "tradewind:administrators"), "tradewind:administrators-2");
        assert.equal(bound(2, "system:masters"), undefined);
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
