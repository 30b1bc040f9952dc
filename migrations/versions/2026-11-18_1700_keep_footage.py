"""Keep footage: finished films beside scenes as what a clip is made of."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "footage",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("content_hash", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("width_px", sa.Integer(), nullable=False),
        sa.Column("height_px", sa.Integer(), nullable=False),
        sa.Column("frames_per_s", sa.Double(), nullable=False),
        sa.Column("duration_s", sa.Double(), nullable=False),
        sa.Column("size_bytes", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_footage")),
        sa.UniqueConstraint("content_hash", name=op.f("uq_footage_content_hash")),
    )
    with op.batch_alter_table("clips") as clips:
        clips.alter_column("scene_id", existing_type=sa.Integer(), nullable=True)
        clips.add_column(sa.Column("footage_id", sa.Integer(), nullable=True))
        clips.create_foreign_key(
            op.f("fk_clips_footage_id_footage"), "footage", ["footage_id"], ["id"]
        )
        clips.create_check_constraint(
            op.f("ck_clips_one_source"), "(scene_id IS NULL) <> (footage_id IS NULL)"
        )
        clips.create_index(op.f("ix_clips_footage_id"), ["footage_id"])


def downgrade() -> None:
    # A clip of footage has no place in the old table; one that a study shows is not thrown away.
    op.execute("DELETE FROM clips WHERE footage_id IS NOT NULL")
    with op.batch_alter_table("clips") as clips:
        clips.drop_index(op.f("ix_clips_footage_id"))
        clips.drop_constraint(op.f("ck_clips_one_source"), type_="check")
        clips.drop_constraint(op.f("fk_clips_footage_id_footage"), type_="foreignkey")
        clips.drop_column("footage_id")
        clips.alter_column("scene_id", existing_type=sa.Integer(), nullable=False)
    op.drop_table("footage")
