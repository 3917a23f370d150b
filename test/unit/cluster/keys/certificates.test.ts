import assert from "node:assert/strict";
import { resolveDefaults } from "../../../../cluster/defaults";
import { boundAdministrators } from "../../../../cluster/keys/administrator";
import { resolveCertificates as resolve } from "../../../../cluster/keys/certificates";
import type { CertificateOptions } from "../../../../cluster/options";

const resolveCertificates = (options: CertificateOptions, isSecure: boolean) =>
    resolve(options, resolveDefaults(isSecure ? 2 : 1));

describe("the generations of certificates", () => {
    it("are the first where nothing is said", () => {
        const first = { generation: 1, administrator: 1 };
        const before = { ...first, kubeletServing: "own", administratorGroup: "system:masters" };
        assert.deepEqual(resolveCertificates({}, false), before);
        const secure = { ...first, kubeletServing: "verified", administratorGroup: "tradewind:administrators" };
        assert.deepEqual(resolveCertificates({}, true), secure);
        assert.equal(resolveCertificates({ kubeletServing: "own" }, true).kubeletServing, "own");
    });

    it("are set independently", () => {
        assert.deepEqual(resolveCertificates({ generation: 3, kubeletServing: "issued" }, false), {
            generation: 3,
            administrator: 1,
            administratorGroup: "system:masters",
            kubeletServing: "issued",
        });
    });

    it("are refused with an unknown issuer of kubelet serving certificates", () => {
        assert.throws(() => resolveCertificates({ kubeletServing: "none" }, true), {
            message: "certificates.kubeletServing must be one of own, issued, verified, got none",
        });
    });

    it("give the administrator a known group only, whatever the defaults are", () => {
        const group = (administratorGroup: string, isSecure: boolean) =>
            resolveCertificates({ administratorGroup }, isSecure).administratorGroup;
        assert.equal(group("system:masters", true), "system:masters");
        assert.equal(group("tradewind:administrators", false), "tradewind:administrators");
        const message =
            "certificates.administratorGroup must be one of tradewind:administrators, system:masters, got admins";
        assert.throws(() => group("admins", true), { message });
    });

    it("bind another group with each number, so that an earlier certificate loses its permissions", () => {
        const bound = (administrator: number, administratorGroup: string) =>
            boundAdministrators(resolveCertificates({ administrator, administratorGroup }, true));
        assert.equal(bound(1, "tradewind:administrators"), "tradewind:administrators");
        assert.equal(bound(2, "tradewind:administrators"), "tradewind:administrators-2");
        assert.equal(bound(2, "system:masters"), undefined);
    });

    for (const value of [0, -1, 1.5, Number.NaN, 2 ** 60]) {
        it(`are refused as ${value}`, () => {
            const legal = "must be a whole number, 1 or more, got";
            assert.throws(() => resolveCertificates({ generation: value }, true), {
                message: `certificates.generation ${legal} ${JSON.stringify(value)}`,
            });
            assert.throws(() => resolveCertificates({ administrator: value }, true), {
                message: `certificates.administrator ${legal} ${JSON.stringify(value)}`,
            });
        });
    }
});
