const factors: Readonly<Record<string, number>> = {
    ...{ n: 1e-9, u: 1e-6, m: 1e-3, "": 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18 },
    ...{ Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50, Ei: 2 ** 60 },
};

/** A quantity of Kubernetes: `100m` is 0.1, `1Gi` 2^30, `1e3` 1000. @returns 0 for what is none */
export function quantity(text: unknown): number {
    const [, number, suffix = ""] = /^([+-]?[\d.]+(?:[eE][+-]?\d+)?)([a-zA-Z]*)$/.exec(String(text ?? "")) ?? [];
    return number === undefined ? 0 : Number(number) * (factors[suffix] ?? 0);
}

/** Cores, and bytes of memory. */
export interface Amount {
    readonly cpu: number;
    readonly memory: number;
}

export const nothing: Amount = { cpu: 0, memory: 0 };

export function amountOf(resources: Readonly<Record<string, unknown>> = {}): Amount {
    return { cpu: quantity(resources.cpu), memory: quantity(resources.memory) };
}

export function add(...all: readonly Amount[]): Amount {
    return all.reduce((sum, each) => ({ cpu: sum.cpu + each.cpu, memory: sum.memory + each.memory }), nothing);
}

export function most(...all: readonly Amount[]): Amount {
    return all.reduce(
        (one, other) => ({ cpu: Math.max(one.cpu, other.cpu), memory: Math.max(one.memory, other.memory) }),
        nothing,
    );
}
