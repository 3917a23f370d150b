import { type Certificates, kubeletServings } from "./model";
import type { CertificateOptions } from "./options";
import { invalid, requireOneOf } from "./validate";

/** Fills in the defaults. Throws `<option> must be <legal>, got <value>`. */
export function resolveCertificates(options: CertificateOptions): Certificates {
    const { generation = 1, administrator = 1, kubeletServing = "own" } = options;
    for (const [option, value] of Object.entries({ generation, administrator })) {
        if (!Number.isSafeInteger(value) || value < 1) {
            throw invalid(`certificates.${option}`, "a whole number, 1 or more", value);
        }
    }
    return {
        generation,
        administrator,
        kubeletServing: requireOneOf("certificates.kubeletServing", kubeletServings, kubeletServing),
    };
}
