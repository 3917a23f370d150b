import { X509Certificate } from "node:crypto";
import { conflictsWith, invalid, isDnsSubdomain, mustNot, requireOneOf, requires } from "../validate";
import type {
    AuthenticationOptions,
    ClaimMappingOptions,
    ClaimValidationRuleOptions,
    JwtIssuerOptions,
    JwtOptions,
    PrefixedClaimOptions,
    UserValidationRuleOptions,
} from "./options";

/** Source: Kubernetes' `ValidateAuthenticationConfiguration`, which most rules of this file come from. */
const maxIssuers = 64;

/**
 * Checks what kube-apiserver would refuse, except for the syntax of expressions: only it has a CEL compiler.
 *
 * @param ownIssuer - of the cluster's service account tokens
 * @throws `<option> must be <legal> (got <value>)`
 */
export function resolveAuthentication(
    options: AuthenticationOptions,
    ownIssuers: readonly string[],
): readonly JwtOptions[] {
    requireKeys("authentication", options, ["jwt"]);
    const { jwt = [] } = options;
    if (jwt.length > maxIssuers) throw invalid("authentication.jwt", `at most ${maxIssuers} issuers`, jwt.length);
    requireEach("authentication.jwt", jwt, (option, each) => requireJwt(option, each, ownIssuers));
    requireUnique("authentication.jwt", "issuer.url", jwt, ({ issuer }) => issuer.url);
    requireUnique("authentication.jwt", "issuer.discoveryURL", jwt, ({ issuer }) => issuer.discoveryURL);
    return jwt;
}

function requireJwt(option: string, jwt: JwtOptions, ownIssuers: readonly string[]): void {
    requireKeys(option, jwt, ["issuer", "claimValidationRules", "claimMappings", "userValidationRules"]);
    const { issuer, claimValidationRules = [], claimMappings, userValidationRules = [] } = jwt;
    requireIssuer(`${option}.issuer`, issuer, ownIssuers);
    requireEach(`${option}.claimValidationRules`, claimValidationRules, requireRule);
    requireUnique(`${option}.claimValidationRules`, "claim", claimValidationRules, ({ claim }) => claim);
    requireUnique(`${option}.claimValidationRules`, "expression", claimValidationRules, expressionOf);
    requireMappings(`${option}.claimMappings`, claimMappings, claimValidationRules);
    requireEach(`${option}.userValidationRules`, userValidationRules, (path, rule) => {
        requireKeys(path, rule, ["expression", "message"]);
        requireText(`${path}.expression`, "a CEL expression", rule.expression);
    });
    requireUnique(`${option}.userValidationRules`, "expression", userValidationRules, expressionOf);
}

function requireIssuer(option: string, issuer: JwtIssuerOptions, ownIssuers: readonly string[]): void {
    requireKeys(option, issuer, ["url", "discoveryURL", "certificateAuthority", "audiences", "audienceMatchPolicy"]);
    const { url, discoveryURL, certificateAuthority, audiences, audienceMatchPolicy } = issuer;
    requireHttps(`${option}.url`, url);
    if (ownIssuers.includes(url)) throw mustNot(`${option}.url`, "be the cluster's own issuer", url);
    if (discoveryURL !== undefined) {
        requireHttps(`${option}.discoveryURL`, discoveryURL);
        if (withoutSlashes(discoveryURL) === withoutSlashes(url)) {
            throw mustNot(`${option}.discoveryURL`, "equal url", discoveryURL);
        }
    }
    if (certificateAuthority !== undefined) requireCertificates(`${option}.certificateAuthority`, certificateAuthority);
    const list = `${option}.audiences`;
    if (!Array.isArray(audiences) || audiences.length === 0) {
        throw invalid(list, "a list with at least one client ID", audiences);
    }
    requireEach(list, audiences, (path, each) => requireText(path, "a client ID", each));
    if (new Set(audiences).size < audiences.length) throw mustNot(list, "have duplicates", audiences);
    if (audiences.length > 1 || audienceMatchPolicy !== undefined) {
        requireOneOf(`${option}.audienceMatchPolicy`, ["MatchAny"], audienceMatchPolicy);
    }
}

function requireRule(option: string, rule: ClaimValidationRuleOptions): void {
    requireKeys(option, rule, ["claim", "requiredValue", "expression", "message"]);
    requireOneSource(option, rule);
    if (rule.claim && rule.message !== undefined) {
        throw conflictsWith(`${option}.message`, "claim", rule.message);
    }
    if (rule.expression && rule.requiredValue !== undefined) {
        throw conflictsWith(`${option}.requiredValue`, "expression", rule.requiredValue);
    }
}

function requireMappings(
    option: string,
    mappings: ClaimMappingOptions,
    rules: readonly ClaimValidationRuleOptions[],
): void {
    requireKeys(option, mappings, ["username", "groups", "uid", "extra"]);
    const { username, groups, uid, extra = [] } = mappings;
    requirePrefixed(`${option}.username`, username);
    if (groups) requirePrefixed(`${option}.groups`, groups);
    if (uid) {
        requireKeys(`${option}.uid`, uid, ["claim", "expression"]);
        requireOneSource(`${option}.uid`, uid);
    }
    requireEach(`${option}.extra`, extra, (path, each) => {
        requireKeys(path, each, ["key", "valueExpression"]);
        requireExtraKey(`${path}.key`, each.key);
        requireText(`${path}.valueExpression`, "a CEL expression", each.valueExpression);
    });
    requireUnique(`${option}.extra`, "key", extra, ({ key }) => key);
    const expressions = [username, ...rules].map(({ expression = "" }) => expression);
    const all = [...expressions, ...extra.map(({ valueExpression }) => valueExpression)].join(" ");
    if (/\bclaims\.\??email\b/.test(username.expression ?? "") && !/\bclaims\.\??email_verified\b/.test(all)) {
        const legal = "an expression that also uses claims.email_verified, here or in a claimValidationRule";
        throw invalid(`${option}.username.expression`, legal, username.expression);
    }
}

function requirePrefixed(option: string, mapping: PrefixedClaimOptions): void {
    requireKeys(option, mapping, ["claim", "prefix", "expression"]);
    requireOneSource(option, mapping);
    if (mapping.claim && mapping.prefix === undefined) {
        throw requires(`${option}.claim`, 'prefix ("" for none)');
    }
    if (mapping.expression && mapping.prefix !== undefined) {
        throw conflictsWith(`${option}.prefix`, "expression", mapping.prefix);
    }
}

function requireOneSource(option: string, source: { readonly claim?: string; readonly expression?: string }): void {
    const { claim, expression } = source;
    if (Boolean(claim) === Boolean(expression)) throw invalid(option, "either a claim or an expression", source);
}

/** Source: Kubernetes' `IsDomainPrefixedPath`; its own domains are reserved. */
function requireExtraKey(option: string, key: string): void {
    const [, domain = "", path = ""] = /^([^/]*)\/(.+)$/.exec(key ?? "") ?? [];
    const isLegal =
        isDnsSubdomain(domain) &&
        /^[a-z0-9/\-._~%!$&'()*+,;=:]+$/.test(path) &&
        !/(^|\.)(kubernetes|k8s)\.io$/.test(domain);
    if (!isLegal) throw invalid(option, "a lower-case key with a domain of yours, such as example.com/tenant", key);
}

function requireHttps(option: string, text: string): void {
    const url = typeof text === "string" && URL.canParse(text) ? new URL(text) : undefined;
    const isPlain = url && !url.username && !url.password && !url.search && !url.hash;
    if (url?.protocol !== "https:" || !isPlain) {
        throw invalid(option, "an https URL without user, query and fragment", text);
    }
}

function requireCertificates(option: string, pem: string): void {
    const blocks = String(pem).match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    try {
        if (blocks.length === 0) throw new Error("no certificate");
        for (const block of blocks) new X509Certificate(block);
    } catch {
        throw invalid(option, "PEM of one or more certificates", pem);
    }
}

function requireText(option: string, legal: string, text: unknown): void {
    if (typeof text !== "string" || text === "") throw invalid(option, legal, text);
}

function requireKeys(option: string, object: object, known: readonly string[]): void {
    if (typeof object !== "object" || object === null || Array.isArray(object)) {
        throw invalid(option, `an object of ${known.join(", ")}`, object);
    }
    const unknown = Object.keys(object).find((key) => !known.includes(key));
    if (unknown !== undefined) throw invalid(`a key of ${option}`, `one of ${known.join(", ")}`, unknown);
}

function requireEach<T>(option: string, list: readonly T[], check: (option: string, each: T) => void): void {
    for (const [index, each] of list.entries()) check(`${option}[${index}]`, each);
}

/** Two entries of a list must not have the same value, unless it is absent. */
function requireUnique<T>(option: string, key: string, list: readonly T[], read: (each: T) => unknown): void {
    const values = list.map(read);
    const index = values.findIndex((value, at) => Boolean(value) && values.indexOf(value) < at);
    if (index >= 0) throw invalid(`${option}[${index}].${key}`, "unique", values[index]);
}

function expressionOf({ expression }: Partial<UserValidationRuleOptions>): string | undefined {
    return expression;
}

function withoutSlashes(url: string): string {
    return url.replace(/\/+$/, "");
}
