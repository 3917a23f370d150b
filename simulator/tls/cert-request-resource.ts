import { createHash } from "node:crypto";
import { compare, type Failure, isUnknown, type Resource, UNKNOWN } from "../plugin";
import { request } from "./cert-request";
import { keyInput } from "./certificate-resource";
import type { AlternativeNames } from "./extensions";
import { ipBytes } from "./ip";
import { algorithmOf, parseKey } from "./keys";
import type { Subject } from "./name";
import { withoutWriteOnly } from "./validity";

/** `tls.CertRequest`. */
export const certRequest: Resource = {
    async check({ inputs }) {
        const failures: Failure[] = [];
        for (const address of [inputs.ipAddresses ?? []].flat()) {
            if (isUnknown(address)) continue;
            try {
                ipBytes(String(address));
            } catch (error) {
                failures.push({ property: "ipAddresses", reason: (error as Error).message });
            }
        }
        if ((inputs.privateKeyPem === undefined) === (inputs.privateKeyPemWo === undefined)) {
            const reason = "exactly one of privateKeyPem and privateKeyPemWo must be given";
            failures.push({ property: "privateKeyPem", reason });
        }
        return { inputs, failures };
    },
    async diff({ oldInputs, inputs }) {
        return compare(withoutWriteOnly(oldInputs), withoutWriteOnly(inputs), () => true);
    },
    async create({ inputs, preview }) {
        const state = withoutWriteOnly(inputs);
        if (preview) return { id: "", state: { ...state, certRequestPem: UNKNOWN, keyAlgorithm: UNKNOWN } };
        const key = parseKey(keyInput(inputs, "privateKeyPem"), "privateKeyPem");
        const certRequestPem = request((inputs.subject ?? {}) as Subject, inputs as AlternativeNames, key);
        const id = createHash("sha1").update(certRequestPem).digest("hex");
        return { id, state: { ...state, certRequestPem, keyAlgorithm: algorithmOf(key) } };
    },
};
