"""Create the tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "scenes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("content_hash", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("duration_s", sa.Double(), nullable=False),
        sa.Column("n_tracks", sa.Integer(), nullable=False),
        sa.Column("source", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_scenes")),
        sa.UniqueConstraint("content_hash", name=op.f("uq_scenes_content_hash")),
    )
    op.create_table(
        "users",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("password_hash", sa.String(), nullable=True),
        sa.Column("role", sa.String(length=20), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("email", name=op.f("uq_users_email")),
    )
    op.create_table(
        "worker_beats",
        sa.Column("executor_id", sa.String(), nullable=False),
        sa.Column("seen_epoch_s", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("executor_id", name=op.f("pk_worker_beats")),
    )
    op.create_table(
        "api_tokens",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("scope", sa.String(length=10), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_api_tokens_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_tokens")),
        sa.UniqueConstraint("name", name=op.f("uq_api_tokens_name")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_api_tokens_token_hash")),
    )
    op.create_index(op.f("ix_api_tokens_user_id"), "api_tokens", ["user_id"])
    op.create_table(
        "clips",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("content_key", sa.String(length=64), nullable=False),
        sa.Column("scene_id", sa.Integer(), nullable=False),
        sa.Column("style", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("frames_done", sa.Integer(), nullable=False),
        sa.Column("frames_total", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("duration_s", sa.Double(), nullable=True),
        sa.Column("size_bytes", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ready_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "frames_done >= 0 AND frames_done <= frames_total", name=op.f("ck_clips_frames")
        ),
        sa.ForeignKeyConstraint(["scene_id"], ["scenes.id"], name=op.f("fk_clips_scene_id_scenes")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_clips")),
        sa.UniqueConstraint("content_key", name=op.f("uq_clips_content_key")),
    )
    op.create_index(op.f("ix_clips_scene_id"), "clips", ["scene_id"])
    op.create_index(op.f("ix_clips_state"), "clips", ["state"])
    op.create_table(
        "login_sessions",
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
            name=op.f("fk_login_sessions_user_id_users"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_login_sessions")),
    )
    op.create_index(op.f("ix_login_sessions_user_id"), "login_sessions", ["user_id"])
    op.create_table(
        "sign_in_links",
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
            name=op.f("fk_sign_in_links_user_id_users"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_sign_in_links")),
    )
    op.create_index(op.f("ix_sign_in_links_user_id"), "sign_in_links", ["user_id"])
    op.create_table(
        "studies",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("slug", sa.String(length=60), nullable=False),
        sa.Column("title", sa.String(length=200), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("owner_id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name=op.f("fk_studies_owner_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_studies")),
        sa.UniqueConstraint("slug", name=op.f("uq_studies_slug")),
    )
    op.create_index(op.f("ix_studies_owner_id"), "studies", ["owner_id"])
    op.create_table(
        "study_clips",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("clip_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("condition", sa.String(length=100), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["clip_id"], ["clips.id"], name=op.f("fk_study_clips_clip_id_clips")
        ),
        sa.ForeignKeyConstraint(
            ["study_id"],
            ["studies.id"],
            name=op.f("fk_study_clips_study_id_studies"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_study_clips")),
        sa.UniqueConstraint("study_id", "name", name=op.f("uq_study_clips_study_id_name")),
        sa.UniqueConstraint("study_id", "position", name=op.f("uq_study_clips_study_id_position")),
    )
    op.create_index(op.f("ix_study_clips_clip_id"), "study_clips", ["clip_id"])
    op.create_table(
        "study_versions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("yaml", sa.Text(), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.Column("document_hash", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["study_id"],
            ["studies.id"],
            name=op.f("fk_study_versions_study_id_studies"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_study_versions")),
        sa.UniqueConstraint("study_id", "number", name=op.f("uq_study_versions_study_id_number")),
    )
    op.create_table(
        "clip_counts",
        sa.Column("study_clip_id", sa.Integer(), nullable=False),
        sa.Column("answer", sa.Integer(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["study_clip_id"],
            ["study_clips.id"],
            name=op.f("fk_clip_counts_study_clip_id_study_clips"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("study_clip_id", "answer", name=op.f("pk_clip_counts")),
    )
    op.create_table(
        "sittings",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.Column("token", sa.String(length=64), nullable=False),
        sa.Column("pseudonym", sa.String(length=20), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("completion_code", sa.String(length=100), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("consented_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("declined_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["study_id"], ["studies.id"], name=op.f("fk_sittings_study_id_studies")
        ),
        sa.ForeignKeyConstraint(
            ["version_id"],
            ["study_versions.id"],
            name=op.f("fk_sittings_version_id_study_versions"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sittings")),
        sa.UniqueConstraint("study_id", "pseudonym", name=op.f("uq_sittings_study_id_pseudonym")),
        sa.UniqueConstraint("token", name=op.f("uq_sittings_token")),
    )
    op.create_index(op.f("ix_sittings_study_id"), "sittings", ["study_id"])
    op.create_table(
        "assignments",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("sitting_id", sa.Integer(), nullable=False),
        sa.Column("study_clip_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["sitting_id"],
            ["sittings.id"],
            name=op.f("fk_assignments_sitting_id_sittings"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["study_clip_id"],
            ["study_clips.id"],
            name=op.f("fk_assignments_study_clip_id_study_clips"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_assignments")),
        sa.UniqueConstraint(
            "sitting_id", "position", name=op.f("uq_assignments_sitting_id_position")
        ),
        sa.UniqueConstraint(
            "sitting_id", "study_clip_id", name=op.f("uq_assignments_sitting_id_study_clip_id")
        ),
    )
    op.create_index(op.f("ix_assignments_study_clip_id"), "assignments", ["study_clip_id"])
    op.create_table(
        "ratings",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("assignment_id", sa.Integer(), nullable=False),
        sa.Column("answer", sa.Integer(), nullable=False),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("watched_s", sa.Double(), nullable=True),
        sa.Column("on_page_s", sa.Double(), nullable=True),
        sa.CheckConstraint("answer BETWEEN 1 AND 11", name=op.f("ck_ratings_answer")),
        sa.ForeignKeyConstraint(
            ["assignment_id"],
            ["assignments.id"],
            name=op.f("fk_ratings_assignment_id_assignments"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ratings")),
        sa.UniqueConstraint("assignment_id", name=op.f("uq_ratings_assignment_id")),
    )


def downgrade() -> None:
    op.drop_table("ratings")
    op.drop_table("assignments")
    op.drop_table("sittings")
    op.drop_table("clip_counts")
    op.drop_table("study_versions")
    op.drop_table("study_clips")
    op.drop_table("studies")
    op.drop_table("sign_in_links")
    op.drop_table("login_sessions")
    op.drop_table("clips")
    op.drop_table("api_tokens")
    op.drop_table("worker_beats")
    op.drop_table("users")
    op.drop_table("scenes")
