/** Pairs of indexes of a longest common subsequence of two lists of plain values. */
export function commonIndexes(one: readonly unknown[], other: readonly unknown[]): [number, number][] {
    // lengths[i][j]: how much the ends from i and from j have in common.
    const lengths = Array.from({ length: one.length + 1 }, () => new Array<number>(other.length + 1).fill(0));
    for (let i = one.length - 1; i >= 0; i--) {
        for (let j = other.length - 1; j >= 0; j--) {
            lengths[i][j] =
                one[i] === other[j] ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
        }
    }
    const pairs: [number, number][] = [];
    for (let i = 0, j = 0; i < one.length && j < other.length; ) {
        if (one[i] === other[j]) pairs.push([i++, j++]);
        else if (lengths[i + 1][j] >= lengths[i][j + 1]) i++;
        else j++;
    }
    return pairs;
}
