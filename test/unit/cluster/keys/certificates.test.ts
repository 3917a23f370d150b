import assert from "node:assert/strict";
import { boundAdministrators } from "../../../../cluster/keys/administrator";
import { resolveCertificates } from "../../../../cluster/keys/certificates";

describe("the generations of certificates", () => {
    it("are the first where nothing is said", () => {
        assert.deepEqual(resolveCertificates({}), {
            generation: 1,
            administrator: 1,
            administratorGroup: "tradewind:administrators",
            kubeletServing: "verified",
            kubeletRenewal: "listed",
        });
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

    it("are renewed for removed machines on request only", () => {
        assert.equal(resolveCertificates({ kubeletRenewal: "any" }).kubeletRenewal, "any");
        assert.throws(() => resolveCertificates({ kubeletRenewal: "none" }), {
            message: "certificates.kubeletRenewal must be one of listed, any (got none)",
        });
    });

    it("are refused with an unknown issuer of kubelet serving certificates", () => {
        assert.throws(() => resolveCertificates({ kubeletServing: "none" }), {
            message: "certificates.kubeletServing must be one of own, issued, verified (got none)",
        });
    });

    it("give the administrator a known group only", () => {
        const group = (administratorGroup: string) => resolveCertificates({ administratorGroup }).administratorGroup;
        assert.equal(group("system:masters"), "system:masters");
        const message =
            "certificates.administratorGroup must be one of tradewind:administrators, system:masters (got admins)";
        assert.throws(() => group("admins"), { message });
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
            const legal = "must be a whole number, 1 or more (got";
            assert.throws(() => resolveCertificates({ generation: value }), {
                message: `certificates.generation ${legal} ${value})`,
            });
            assert.throws(() => resolveCertificates({ administrator: value }), {
                message: `certificates.administrator ${legal} ${value})`,
            });
        });
    }
});
