import assert from "node:assert/strict";
import { UNKNOWN } from "../../../../../simulator/plugins/protocol/serve";
import { certificateDiff, checkCertificate, isReadyForRenewal } from "../../../../../simulator/plugins/tls/certificate";

const NOW = Date.parse("2027-01-01T00:00:00Z");
const state = { validityEndTime: "2027-01-01T10:00:00Z" };

describe("the renewal of certificates", () => {
    it("is due from the given hours before the end, and after it", () => {
        assert.equal(isReadyForRenewal(state.validityEndTime, 9, NOW), false);
        assert.equal(isReadyForRenewal(state.validityEndTime, 10, NOW), true);
        assert.equal(isReadyForRenewal(state.validityEndTime, 0, NOW + 10 * 3_600_000), true);
    });

    it("replaces a certificate with unchanged inputs", () => {
        const { changes } = certificateDiff({ earlyRenewalHours: 10 }, { earlyRenewalHours: 10 }, state, NOW);
        assert.deepEqual(changes, { readyForRenewal: { kind: "update", replace: true } });
    });

    it("is postponed or brought forward in place", () => {
        const { changes } = certificateDiff({}, { earlyRenewalHours: 9 }, state, NOW);
        assert.deepEqual(changes, { earlyRenewalHours: { kind: "add" } });
    });

    it("happens with any other change, known or not, but not with just a write-only key", () => {
        const { changes } = certificateDiff({ caCertPem: "a" }, { caCertPem: UNKNOWN }, state, NOW);
        assert.deepEqual(changes, { caCertPem: { kind: "update", replace: true } });
        assert.deepEqual(certificateDiff({ privateKeyPemWo: "a" }, { privateKeyPemWo: "b" }, state, NOW).changes, {});
    });
});

describe("the check of certificate inputs", () => {
    const good = { privateKeyPem: UNKNOWN, validityPeriodHours: 1, allowedUses: ["server_auth"] };
    const cases: [string, object, RegExp?][] = [
        ["accepts unknown values", { ...good, allowedUses: UNKNOWN, validityPeriodHours: UNKNOWN }],
        ["rejects an unknown use", { ...good, allowedUses: ["serve"] }, /allowedUses must be a list of any_ext/],
        [
            "rejects negative hours",
            { ...good, validityPeriodHours: -1 },
            /validityPeriodHours must be .* hours \(got -1\)/,
        ],
        ["requires a key", { ...good, privateKeyPem: undefined }, /exactly one of privateKeyPem and privateKeyPemWo/],
        ["requires exactly one key", { ...good, privateKeyPemWo: "x" }, /exactly one of/],
    ];
    for (const [title, inputs, expected] of cases) {
        it(title, () => {
            const reasons = checkCertificate(inputs as never, "privateKeyPem").map(({ reason }) => reason);
            if (expected) assert.match(reasons.join(), expected);
            else assert.deepEqual(reasons, []);
        });
    }
});
