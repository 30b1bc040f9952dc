"""Every statistic in plain language: what it means, what it does not, its formula and source."""

from __future__ import annotations

from dataclasses import dataclass

FLEISS = "Fleiss, J. L. (1971). Psychological Bulletin 76(5), 378–382."
GWET = "Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th edition."
NOTATION = (
    "f_ij: ratings of clip i in category j of k; p_i = Σ_j f_ij; N: clips with a rating; "
    "w_jl = 1 − (j − l)² / (k − 1)²"
)


@dataclass(frozen=True, slots=True)
class Explanation:
    """One statistic, for somebody who has to decide whether to believe it."""

    slug: str
    name: str
    question: str  # that it answers
    means: str
    does_not_mean: str
    formula: tuple[str, ...]
    source: str


EXPLANATIONS = (
    Explanation(
        "kappa",
        "Fleiss' κ, quadratic weights",
        "How much closer are people on the same clip than chance would have them?",
        "0 is what people would reach by answering at random with everybody's habits, 1 is that "
        "all give every clip the same answer. With quadratic weights a difference of two steps "
        "counts four times as much as a difference of one. Clips with one rating count for what "
        "is usual, not for agreement.",
        "It does not say that the raters are right, nor that the clips differ much. With clips "
        "that are all alike it is low even if people nearly agree; look at the observed agreement "
        "and AC2 beside it.",
        (
            NOTATION,
            "P_a = mean over clips with two ratings of "
            "(Σ_jl w_jl f_ij f_il − p_i) / (p_i (p_i − 1))",
            "π_j = mean over rated clips of f_ij / p_i;   P_e = Σ_jl w_jl π_j π_l",
            "κ = (P_a − P_e) / (1 − P_e)",
        ),
        f"{FLEISS} {GWET}",
    ),
    Explanation(
        "published-kappa",
        "κ as published, equations 1–7",
        "Which number does the commissioning study's own formula give?",
        "It is there so that results can be compared with that study, digit by digit.",
        "It is not an agreement between 0 and 1. Its equation 3 counts every rater as a pair with "
        "themselves, which adds 1/(p_i − 1) to each clip: two raters who always answer 1 and 5 get "
        "+1.000, and pure chance gives about 0.45 with ten raters. So it has no band, and the page "
        "says how much the formula adds on your data.",
        (
            NOTATION,
            "P_i = Σ_jl w_jl f_ij f_il / (p_i (p_i − 1));   P_i = 0 where p_i = 1",
            "P̄ = Σ_i P_i / N;   p_j = Σ_i f_ij / Σ_i p_i;   P_e = Σ_jl w_jl p_j p_l",
            "κ = (P̄ − P_e) / (1 − P_e);   κ = 0 where P̄ = P_e",
        ),
        "Supplement of the commissioning study (2025), equations 1–7.",
    ),
    Explanation(
        "interval",
        "95 % interval of κ",
        "How far could κ be off, because other clips might have been chosen?",
        "If you drew clips like these again and again and asked people like these, about 95 of 100 "
        "such intervals would contain the true κ. Clips, not raters, decide its width.",
        "It does not cover the choice of raters; for claims about new raters use the jackknife "
        "interval, which is wider. Below ten clips there is none.",
        (
            "z_i = (N/N2)[p_i ≥ 2](P_i − P_e)/(1 − P_e) − 2(1 − κ)(pe_i − P_e)/(1 − P_e) − κ",
            "SE² = Σ_i (z_i)² / (N (N − 1));   κ ± t(N − 1) · SE, cut at 1",
        ),
        GWET,
    ),
    Explanation(
        "bands",
        "Bands of agreement",
        "Is this value called slight, fair, moderate, substantial or almost perfect?",
        "Words by Landis and Koch: below 0 poor, up to 0.2 slight, 0.4 fair, 0.6 moderate, 0.8 "
        "substantial, 1 almost perfect; an edge belongs to the band below. Gwet's benchmark is "
        "more careful: the highest band that the true κ reaches with 95 % probability.",
        "The words are a convention of 1977, not a test. Report the number and its interval.",
        ("band(κ) from the unrounded value",),
        "Landis, J. R., & Koch, G. G. (1977). Biometrics 33(1), 159–174. " + GWET,
    ),
    Explanation(
        "unweighted-kappa",
        "Fleiss' κ, unweighted",
        "How far do people choose exactly the same option?",
        "Any two different answers count as full disagreement, next to each other or not.",
        "On an ordered scale it is too strict: neighbours on the scale are nearly agreement.",
        ("As Fleiss' κ, with w_jl = 1 where j = l and 0 elsewhere",),
        FLEISS,
    ),
    Explanation(
        "alpha",
        "Krippendorff's α",
        "The same question as κ, with another account of chance?",
        "1 minus the observed disagreement over the disagreement of answers paired at random. The "
        "interval form squares differences of answers, the ordinal form those of their ranks.",
        "With quadratic weights κ, interval α and ICC are nearly the same number; three of them "
        "are not three confirmations.",
        ("α = 1 − D_o / D_e over clips with two ratings",),
        "Krippendorff, K. (2011). Computing Krippendorff's alpha-reliability.",
    ),
    Explanation(
        "ac2",
        "Gwet's AC2",
        "How far do people agree when nearly all use the same option?",
        "A chance correction that stays sensible when one answer dominates, where κ collapses "
        "although people agree: the paradox of κ.",
        "It is usually higher than κ; do not choose between the two after seeing them.",
        ("P_e = T_w / (k (k − 1)) · Σ_j π_j (1 − π_j), T_w the sum of all weights",),
        "Gwet, K. L. (2008). British Journal of Mathematical and Statistical Psychology 61(1). "
        + GWET,
    ),
    Explanation(
        "icc",
        "Intraclass correlation",
        "How reliable is one rater, and how reliable is the mean of all?",
        "ICC(2,1) is the share of the variance of single answers that is the clips'; ICC(2,k) is "
        "the same for the mean of the k raters, and so the reliability of your mean scores.",
        "A high ICC(2,k) with a low ICC(2,1) means many raters, not agreeing raters.",
        ("ICC(2,1) = σ²_clip / (σ²_clip + σ²_rater + σ²_rest)",),
        "Shrout, P. E., & Fleiss, J. L. (1979). Psychological Bulletin 86(2), 420–428.",
    ),
    Explanation(
        "kendall-w",
        "Kendall's W",
        "Do people put the clips in the same order?",
        "1 if all raters rank the clips alike, 0 if their ranks have nothing in common; a rater "
        "who is stricter than the others changes nothing.",
        "It needs every rater to have rated every clip, and says nothing about the level.",
        ("W = 12 S / (m² (n³ − n) − m Σ T), ties corrected",),
        "Kendall, M. G., & Babington Smith, B. (1939). Annals of Mathematical Statistics 10(3).",
    ),
    Explanation(
        "mean-opinion",
        "Mean opinion score",
        "How realistic did people find this clip?",
        "The mean of the answers, from 1 to the number of options, with a t interval over raters.",
        "It treats steps of the scale as equally wide. Overlapping intervals do not mean that two "
        "clips are equal: compare conditions on each rater's own means.",
        ("x̄ ± t(n − 1) · s / √n",),
        "ITU-T Recommendation P.910.",
    ),
    Explanation(
        "pooled-kappa",
        "Fleiss' κ, pooled margins",
        "What is κ if every rating, not every clip, counts the same for chance?",
        "The same as Fleiss' κ, but the share of each option is taken over all ratings in one pot. "
        "With equally many ratings per clip the two are equal.",
        "Where some clips have many more ratings than others, those clips decide what counts as "
        "chance.",
        ("π_j = Σ_i f_ij / Σ_i p_i; everything else as Fleiss' κ",),
        FLEISS,
    ),
    Explanation(
        "resampled-intervals",
        "Bootstrap and jackknife intervals",
        "What if κ is not distributed as the t interval assumes, or other people had rated?",
        "The bootstrap draws clips again and again and corrects for bias and skewness (BCa). The "
        "jackknife leaves out each clip and each rater in turn, so that it also covers the choice "
        "of raters; its interval is the one for claims about new raters.",
        "Neither repairs a sample of clips or raters that is not like those you want to speak of.",
        (
            "BCa over clips",
            "Var = Var_clips (jackknife) + Var_raters (jackknife), on Fisher's z = artanh κ",
        ),
        "Efron, B. (1987). Journal of the American Statistical Association 82(397), 171–185.",
    ),
    Explanation(
        "conditions",
        "Comparison of conditions",
        "Do people find the clips of one condition more realistic than those of another?",
        "Each rater has a mean for each condition; the differences of these means are tested by a "
        "paired t test and by Wilcoxon's signed ranks, with an effect size, and corrected after "
        "Holm where there are several pairs.",
        "It speaks of these clips: raters are the sample, not clips. A small p is not a large "
        "difference; read the effect size.",
        ("t = √n · mean(d) / sd(d), d the differences of a rater's means",),
        "Holm, S. (1979). Scandinavian Journal of Statistics 6(2), 65–70.",
    ),
    Explanation(
        "rater-model",
        "Bias and inconsistency of a rater",
        "Who answers higher than the others, and who answers at random?",
        "An answer is the clip's value plus the rater's bias plus noise as large as the rater's "
        "inconsistency; all three are estimated in turns until they stand still. The rejection "
        "rule of BT.500 is there for comparison.",
        "An inconsistent rater is not a dishonest one. With few ratings per rater the model can "
        "settle on one person; that is said, and equal weights are used instead.",
        ("x_ir = clip_i + bias_r + inconsistency_r · noise",),
        "ITU-T Recommendation P.910, Annex E. ITU-R Recommendation BT.500.",
    ),
)


def find_explanation(slug: str) -> Explanation | None:
    """The explanation with this name in its address."""
    return next((found for found in EXPLANATIONS if found.slug == slug), None)
