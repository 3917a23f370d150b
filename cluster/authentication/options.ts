/** Who can log in, in addition to holders of the cluster's own certificates and tokens. */
export interface AuthenticationOptions {
    /** Issuers whose ID tokens kube-apiserver accepts, in Kubernetes' own form: at most 64. @default [] */
    jwt?: JwtOptions[];
}

/** An OpenID Connect issuer, and how its tokens become users: `JWTAuthenticator` of Kubernetes. */
export interface JwtOptions {
    /** Where tokens come from, and for whom they must be. */
    issuer: JwtIssuerOptions;
    /** Requirements of a token, in addition to its signature, audience and expiry. All must be met. @default [] */
    claimValidationRules?: ClaimValidationRuleOptions[];
    /** How claims become a user. */
    claimMappings: ClaimMappingOptions;
    /**
     * Requirements of the resulting user. Names that start with `system:` or `tradewind:` are always rejected.
     * @default []
     */
    userValidationRules?: UserValidationRuleOptions[];
}

/** Where tokens come from, and for whom they must be. */
export interface JwtIssuerOptions {
    /** URL with `https`, exactly as in the tokens' `iss`. Unique. */
    url: string;
    /** Where to read the discovery document, with its path, if not below `url`. Unique. @default below `url` */
    discoveryURL?: string;
    /** PEM of the CAs that verify the issuer's server. @default the CAs in kube-apiserver's image */
    certificateAuthority?: string;
    /** Client IDs of which the tokens' `aud` must contain one. @minItems 1 */
    audiences: string[];
    /** `MatchAny`; required with several audiences. */
    audienceMatchPolicy?: string;
}

/** A claim with its required value, or an expression. */
export interface ClaimValidationRuleOptions {
    /** Name of a claim. */
    claim?: string;
    /** Text that the claim must be. @default "" */
    requiredValue?: string;
    /** CEL over `claims` that must be true. */
    expression?: string;
    /** Logged by kube-apiserver when the expression is false. */
    message?: string;
}

/** How claims become a user. */
export interface ClaimMappingOptions {
    /** The user's name: a claim with a prefix, or an expression. */
    username: PrefixedClaimOptions;
    /** The user's groups: a claim with a prefix, or an expression. @default no groups */
    groups?: PrefixedClaimOptions;
    /** The user's ID: a claim or an expression. @default none */
    uid?: ClaimOptions;
    /** Further attributes, for example for webhooks. @default [] */
    extra?: ExtraMappingOptions[];
}

/** A claim with a prefix, or an expression. */
export interface PrefixedClaimOptions {
    /** Name of a claim: `sub`, `email`, `groups`. */
    claim?: string;
    /** Precedes the claim's value. Required with a claim, and may be empty. */
    prefix?: string;
    /** CEL over `claims`. */
    expression?: string;
}

/** A claim or an expression. */
export interface ClaimOptions {
    /** Name of a claim. */
    claim?: string;
    /** CEL over `claims`. */
    expression?: string;
}

/** An attribute of the user. */
export interface ExtraMappingOptions {
    /** Lower-case key with a domain: `example.com/tenant`. Unique. */
    key: string;
    /** CEL over `claims`. */
    valueExpression: string;
}

/** A requirement of the user. */
export interface UserValidationRuleOptions {
    /** CEL over `user` that must be true. */
    expression: string;
    /** Logged by kube-apiserver when the expression is false. */
    message?: string;
}
